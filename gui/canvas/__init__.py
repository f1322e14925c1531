"""The tree on the screen and on paper: a widget (`view`) shows one of the `kinds` of picture through a `camera`."""
