"""The commands of ``sema``: functions made commands by :func:`sema.cli.commands.command`."""
