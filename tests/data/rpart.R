# Writes rpart.json, kyphosis.csv and stagec.csv: what rpart (4.1.19) prints, for tests/engine/pruning/test_pruning_rpart.py;
# rpart_cp.json, loans.csv and tie.csv: the trees that it grows at several cp, for tests/engine/growing/test_cp_rpart.py.
#   Rscript tests/data/rpart.R tests/data
# No surrogates and no missing values, so that a tree is its splits. The trees of the folds are grown by hand, with the
# same control; xval as a vector gives rpart these very folds.
library(rpart)
folder <- commandArgs(trailingOnly = TRUE)[1]
number <- function(x) format(x, digits = 17, scientific = TRUE, trim = TRUE)
list_of <- function(texts) paste0("[", paste(texts, collapse = ", "), "]")

# [column, cut, whether smaller values go left] of each split and "leaf" of each leaf, in preorder
nodes <- function(fit) {
  leaf <- fit$frame$var == "<leaf>"
  said <- rep('"leaf"', nrow(fit$frame))
  if (any(!leaf)) {
    splits <- fit$splits[, , drop = FALSE]
    stopifnot(nrow(splits) == sum(!leaf))
    left <- ifelse(splits[, "ncat"] < 0, "true", "false")
    said[!leaf] <- sprintf('["%s", %s, %s]', rownames(splits), number(splits[, "index"]), left)
  }
  list_of(said)
}

case <- function(name, data, target, columns, parms, minsplit, n_folds) {
  set.seed(nchar(name))
  fold <- sample(rep(seq_len(n_folds), length.out = nrow(data)))
  asked <- as.formula(paste(target, "~", paste(columns, collapse = " + ")))
  method <- if (is.factor(data[[target]])) "class" else "anova"
  grow <- function(rows, xval) {
    control <- rpart.control(cp = 0, minsplit = minsplit, maxsurrogate = 0, maxcompete = 0, xval = xval)
    chosen <- data[rows, ]
    if (is.null(parms)) rpart(asked, chosen, method = method, control = control)
    else rpart(asked, chosen, method = method, parms = parms, control = control)
  }
  fit <- grow(rep(TRUE, nrow(data)), fold)
  table <- apply(fit$cptable, 1, function(row) list_of(number(row)))
  folds <- sapply(seq_len(n_folds), function(k) nodes(grow(fold != k, 0)))
  risk <- fit$frame$dev[1] / nrow(data)
  sprintf(
    paste0('{"name": "%s", "target": "%s", "columns": %s, "minsplit": %d, "root_error": %s,\n "fold": %s,\n',
           ' "cptable": %s,\n "tree": %s,\n "folds": %s}'),
    name, target, list_of(sprintf('"%s"', columns)), minsplit, number(risk), list_of(fold - 1),
    list_of(table), nodes(fit), list_of(folds)
  )
}

stagec <- na.omit(stagec[, c("pgtime", "pgstat", "age", "eet", "g2", "grade", "gleason")])
stagec$pgstat <- factor(ifelse(stagec$pgstat == 1, "progressed", "free"))
write.csv(kyphosis, file.path(folder, "kyphosis.csv"), row.names = FALSE, quote = FALSE)
write.csv(stagec, file.path(folder, "stagec.csv"), row.names = FALSE, quote = FALSE)
of_stagec <- c("age", "eet", "g2", "grade", "gleason")
costs <- matrix(c(0, 1, 3, 0), 2, byrow = TRUE)
found <- c(
  case("kyphosis", kyphosis, "Kyphosis", c("Age", "Number", "Start"), NULL, 4L, 10L),
  case("kyphosis with costs", kyphosis, "Kyphosis", c("Age", "Number", "Start"), list(loss = costs), 4L, 7L),
  case("stagec", stagec, "pgstat", of_stagec, NULL, 10L, 10L),
  case("stagec by entropy", stagec, "pgstat", of_stagec, list(split = "information"), 6L, 5L),
  case("stagec, a number", stagec, "pgtime", of_stagec, NULL, 10L, 10L),
  case("stagec, a number, few splits", stagec, "pgtime", c("age", "g2", "gleason"), NULL, 30L, 5L)
)
writeLines(paste0("[", paste(found, collapse = ",\n"), "]"), file.path(folder, "rpart.json"))

# A table where splits pay exactly cp: few errors at the root, all of them whole numbers.
set.seed(7)
rows <- 1000
loans <- data.frame(
  income = round(exp(rnorm(rows, 3.6, 0.5))), debt = round(rexp(rows, 1 / 12)), age = sample(20:70, rows, TRUE),
  years = pmin(round(rexp(rows, 1 / 5)), 30)
)
risk <- with(loans, -1.6 + 0.09 * debt - 0.05 * (income - 36) - 0.12 * pmin(years, 6) + 0.9 * (age < 26))
loans$repaid <- factor(ifelse(runif(rows) < plogis(risk), "no", "yes"))
write.csv(loans, file.path(folder, "loans.csv"), row.names = FALSE, quote = FALSE)
tie <- data.frame(
  x = c(0, 0, 1, 1, 2, 2, 3, 3), z = c(0, 0, 0, 0, 1, 1, 1, 1), y = factor(c("a", "a", "b", "b", "a", "a", "a", "a"))
)
write.csv(tie, file.path(folder, "tie.csv"), row.names = FALSE, quote = FALSE)

grown <- function(name, file, data, target, columns, minsplit, minbucket, at) {
  asked <- as.formula(paste(target, "~", paste(columns, collapse = " + ")))
  method <- if (is.factor(data[[target]])) "class" else "anova"
  tree <- function(cp) {
    nodes(rpart(asked, data, method = method, control = rpart.control(
      cp = cp, minsplit = minsplit, minbucket = minbucket, maxsurrogate = 0, maxcompete = 0, xval = 0
    )))
  }
  sprintf(
    '{"name": "%s", "file": "%s", "target": "%s", "columns": %s, "minsplit": %d, "minbucket": %d,\n "full": %s,\n "cp": %s,\n "trees": %s}',
    name, file, target, list_of(sprintf('"%s"', columns)), minsplit, minbucket, tree(-1), list_of(number(at)),
    list_of(sapply(at, tree))
  )
}

of_loans <- c("income", "debt", "age", "years")
found <- c(
  grown("tie", "tie.csv", tie, "y", c("x", "z"), 2L, 1L, c(0.49, 0.5, 0.51)),
  grown("loans", "loans.csv", loans, "repaid", of_loans, 20L, 7L, c(0.02, 0.01, 0.005, 0.0025)),
  grown("kyphosis", "kyphosis.csv", kyphosis, "Kyphosis", c("Age", "Number", "Start"), 4L, 1L, c(3, 2, 1, 0.5) / 17),
  grown("stagec", "stagec.csv", stagec, "pgstat", of_stagec, 10L, 3L, c(0.1, 0.05, 0.02, 0.01)),
  grown("stagec, a number", "stagec.csv", stagec, "pgtime", of_stagec, 10L, 3L, c(0.05, 0.02, 0.01, 0.005))
)
writeLines(paste0("[", paste(found, collapse = ",\n"), "]"), file.path(folder, "rpart_cp.json"))
