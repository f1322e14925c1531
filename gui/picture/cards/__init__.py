"""The tree from top to bottom, a card for every node: places, scene, frame, painter."""
