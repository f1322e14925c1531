# What partykit's ctree says of the root of each CSV file of a folder, as JSON: the column that it splits ("" for none),
# and for each column the quadratic statistic and ln(1 - p), p without Bonferroni's adjustment.
# Run by tests/honesty/power.py, and once for tests/data/ctree.json (partykit 1.2.16): see tests/ctree.py.
suppressMessages(library(partykit))
files <- sort(list.files(commandArgs(TRUE)[1], pattern = "[.]csv$", full.names = TRUE))
number <- function(x) paste0("[", paste(ifelse(is.finite(x), format(x, digits = 15), "null"), collapse = ", "), "]")
root <- function(file) {
  table <- read.csv(file, stringsAsFactors = TRUE)
  weights <- if ("w" %in% names(table)) table$w else rep(1L, nrow(table))
  table$w <- NULL
  tree <- ctree(y ~ ., data = table, weights = weights, control = ctree_control(stump = TRUE))
  split <- split_node(node_party(tree))
  name <- if (is.null(split)) "" else names(tree$data)[varid_split(split)]
  alone <- ctree(y ~ ., data = table, weights = weights, control = ctree_control(stump = TRUE, testtype = "Univariate"))
  found <- info_node(node_party(alone))$criterion
  sprintf('{"column": "%s", "names": [%s], "statistic": %s, "p": %s}', name,
          paste0('"', colnames(found), '"', collapse = ", "), number(found["statistic", ]), number(found["p.value", ]))
}
cat("[", paste(sapply(files, root), collapse = ",\n"), "]\n")
