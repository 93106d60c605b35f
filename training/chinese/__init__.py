"""Chinese treebanks in today's conventions, and the Chinese tables that ship."""
