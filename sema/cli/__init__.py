"""The commands of ``sema``, a module each; what they share is in :mod:`sema.cli.common`."""
