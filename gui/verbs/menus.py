"""Which verbs stand in which menu and on the toolbar, by name: "" is a line, "recent>" a menu below."""

from gui.verbs.declared import BY_METHOD

MENUS = {
    "&File": ("open", "examples>", "paste", "recent>", "", "save", "save_as", "", "export_picture", "export_tree",
              "export_rules", "", "close", "quit"),
    "&Edit": ("undo", "redo", "", "copy_picture"),
    "&View": ("fit", "zoom_100", "zoom_branch", "zoom_in", "zoom_out", "", "find", "filter", "best_leaves", "",
              "kinds>", "turn", "icicle", "minimap", "", "colours>", "next_colours", "lines>", "flow_validation", "",
              "panels>", "reset_layout", "", "present", "motion", "theme>", "text_size>"),
    "&Tree": ("split_column", "replace_split", "why", "branch>", "mark>", "folds>", "rows>", "",
              "go", "grow", "at_once>", "all_trees", "code", "", "prune",
              "prune_by>", "prune_weakest", "prune_below", "click_cut", "", "search", "", "stop"),
    "&Data": ("columns", "partition", "focus>", "", "test"),
    "&Help": ("whats_this", "shortcuts", "", "about", "open_log"),
}  # fmt: skip
SUBMENUS = {
    "at_once>": ("Grow at onc&e", ("split_here", "split_anywhere", "grow_level", "grow_branch", "grow_all")),
    "rows>": ("Path and ro&ws", ("copy_path", "copy_query", "", "follow_row", "follow_where", "follow_here",
                                 "follow_wrong")),
    "prune_by>": ("Pru&ne by", tuple(BY_METHOD)),
    "branch>": ("Branc&h", ("merge", "", "copy_branch", "paste_branch")),
    "folds>": ("&Fold branches", ("fold", "unfold_all", "", "more_levels", "fewer_levels", "", "fold_small")),
    "mark>": ("&Mark", ("note", "label", "", "pin", "lock", "", "exclude", "node_criterion", "lock_columns")),
}  # fmt: skip
TOOLBAR = ("open", "", "go", "prune", "stop", "", "criterion>", "preset>", "", "undo", "redo", "fit", "find")
CONTEXT = MENUS["&Tree"]
