"""The tree from left to right, its streams as wide as their rows: places, scene, frame, painter."""
