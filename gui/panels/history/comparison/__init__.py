"""The tree beside another one."""
