"""What a node says and looks like, in whichever picture: words, lines, bars, badges."""
