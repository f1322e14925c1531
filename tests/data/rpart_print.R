# Writes rpart_print.json and rpart_grown.json: trees of rpart (4.1.19, R 4.2.2) and the lines that print() shows of them, and r_format.json:
# numbers as format() writes them, for tests/engine/formats/test_rpart_print.py; and iris.csv and cars.csv, which R and
# rpart bring along.
#   Rscript tests/data/rpart_print.R tests/data
# The tables are read from the files, so that numbers are those of the tests.
library(rpart)
folder <- commandArgs(trailingOnly = TRUE)[1]
number <- function(x) format(x, digits = 17, scientific = TRUE, trim = TRUE)
quoted <- function(text) paste0('"', gsub('"', '\\\\"', text), '"')
list_of <- function(texts) paste0("[", paste(texts, collapse = ", "), "]")

# In preorder [column, cut, whether smaller values go left] or [column, [levels at left], [levels at right]] of each split,
# and "leaf" of each leaf
nodes <- function(fit) {
  leaf <- fit$frame$var == "<leaf>"
  said <- rep('"leaf"', nrow(fit$frame))
  levels <- attr(fit, "xlevels")
  said[!leaf] <- sapply(seq_len(sum(!leaf)), function(i) {
    split <- fit$splits[i, ]
    name <- rownames(fit$splits)[i]
    if (abs(split["ncat"]) == 1) {
      sprintf('["%s", %s, %s]', name, number(split["index"]), if (split["ncat"] < 0) "true" else "false")
    } else {
      way <- fit$csplit[split["index"], seq_along(levels[[name]])]
      sprintf('["%s", %s, %s]', name, list_of(quoted(levels[[name]][way == 1])), list_of(quoted(levels[[name]][way == 3])))
    }
  })
  list_of(said)
}

case <- function(name, file, target, columns, minsplit, cp = 0, parms = NULL, costs = "[]", priors = "[]") {
  data <- read.csv(file.path(folder, file), stringsAsFactors = TRUE)
  asked <- as.formula(paste(target, "~", paste(columns, collapse = " + ")))
  method <- if (is.factor(data[[target]])) "class" else "anova"
  control <- rpart.control(cp = cp, minsplit = minsplit, maxsurrogate = 0, maxcompete = 0, xval = 0)
  fit <- if (is.null(parms)) rpart(asked, data, method = method, control = control)
  else rpart(asked, data, method = method, parms = parms, control = control)
  sprintf(
    '{"name": "%s", "file": "%s", "target": "%s", "columns": %s, "costs": %s, "priors": %s,\n "tree": %s,\n "printed": %s}',
    name, file, target, list_of(quoted(columns)), costs, priors, nodes(fit),
    paste0("[\n  ", paste(quoted(capture.output(print(fit))), collapse = ",\n  "), "]")
  )
}

# rpart's own settings, on tables with missing values: with surrogates.
as_grown <- function(name, file, target, columns) {
  data <- read.csv(file.path(folder, file), stringsAsFactors = TRUE)
  fit <- rpart(as.formula(paste(target, "~", paste(columns, collapse = " + "))), data, control = rpart.control(xval = 0))
  sprintf(
    '{"name": "%s", "file": "%s", "target": "%s", "columns": %s,\n "printed": %s}', name, file, target,
    list_of(quoted(columns)), paste0("[\n  ", paste(quoted(capture.output(print(fit))), collapse = ",\n  "), "]")
  )
}
stages <- get("stagec", "package:rpart")
stages$pgstat <- factor(ifelse(stages$pgstat == 1, "progressed", "free"))
write.csv(stages, file.path(folder, "stagec_missing.csv"), row.names = FALSE, quote = FALSE, na = "")
measured <- cu.summary[!is.na(cu.summary$Mileage), names(cu.summary) != "Reliability"]
write.csv(measured, file.path(folder, "cars_measured.csv"), row.names = FALSE, quote = FALSE)
of_stages <- c("age", "eet", "g2", "grade", "gleason", "ploidy")
writeLines(paste0("[", paste(c(
  as_grown("kyphosis", "kyphosis.csv", "Kyphosis", c("Age", "Number", "Start")),
  as_grown("stages, missing values", "stagec_missing.csv", "pgstat", of_stages),
  as_grown("a number, missing values", "stagec_missing.csv", "pgtime", of_stages),
  as_grown("mileage", "cars_measured.csv", "Mileage", c("Price", "Country", "Type")),
  as_grown("prices", "cars_measured.csv", "Price", c("Mileage", "Country", "Type"))
), collapse = ",\n"), "]"), file.path(folder, "rpart_grown.json"))

write.csv(iris, file.path(folder, "iris.csv"), row.names = FALSE, quote = FALSE)
cars <- na.omit(cu.summary)
cars$Reliability <- gsub(" ", "_", tolower(as.character(cars$Reliability)))
write.csv(cars, file.path(folder, "cars.csv"), row.names = FALSE, quote = FALSE)
of_stagec <- c("age", "eet", "g2", "grade", "gleason")
of_loans <- c("income", "debt", "age", "years")
of_iris <- c("Sepal.Length", "Sepal.Width", "Petal.Length", "Petal.Width")
of_cars <- c("Price", "Country", "Mileage", "Type")
found <- c(
  case("a leaf", "kyphosis.csv", "Kyphosis", "Age", 400L),
  case("two classes", "kyphosis.csv", "Kyphosis", c("Age", "Number", "Start"), 4L),
  case("two classes, deep", "loans.csv", "repaid", of_loans, 4L),
  case("costs", "kyphosis.csv", "Kyphosis", c("Age", "Number", "Start"), 4L,
       parms = list(loss = matrix(c(0, 1, 3, 0), 2, byrow = TRUE)),
       costs = '[["absent", "present", 1.0], ["present", "absent", 3.0]]'),
  case("priors", "loans.csv", "repaid", of_loans, 60L, parms = list(prior = c(0.3, 0.7)),
       priors = '[["no", 0.3], ["yes", 0.7]]'),
  case("three classes", "iris.csv", "Species", of_iris, 4L),
  case("a class by levels", "iris.csv", "Sepal.Length", c("Species", "Petal.Width"), 20L),
  case("six classes", "cars.csv", "Type", c("Price", "Country", "Mileage", "Reliability"), 6L),
  case("five classes", "cars.csv", "Reliability", of_cars, 10L),
  case("levels, four classes", "j48/mixed.csv", "y", c("u", "v", "w", "kind", "flag"), 30L),
  case("levels, two classes", "j48/flags.csv", "y", letters[1:7], 20L),
  case("levels, three classes", "j48/nominal.csv", "y", c("shape", "hue", "size", "place", "noise"), 20L),
  case("two classes of numbers", "j48/numeric.csv", "y", letters[1:5], 20L),
  case("a number", "stagec.csv", "pgtime", of_stagec, 10L),
  case("a large number", "cars.csv", "Price", c("Country", "Reliability", "Mileage", "Type"), 6L),
  case("a small number", "cars.csv", "Mileage", c("Price", "Country", "Type"), 6L)
)
writeLines(paste0("[", paste(found, collapse = ",\n"), "]"), file.path(folder, "rpart_print.json"))

set.seed(11)
vectors <- list(
  0, 1, 100000, 123456, 0.1, 1e-5, 1e-15, 1e15, 1234567.8, c(0, 1), c(1, 100000), c(0.5, 123456.789), c(1e-10, 1),
  c(1e10, 1), c(-1, 0.25), c(1/3, 2/3), c(1e-4, 0.1234567), c(1e-5, 0.1234567), c(99999999, 0.5), c(9999999.6, 1),
  c(0.99999996, 0.5), c(1e300, 1e-300), c(1e120, 1), c(17, 6, 0), c(983551500, 12615.67, 3), c(-123.456, -0.001), 1e5 + 0.1
)
vectors <- c(vectors, lapply(1:40, function(k) signif(rnorm(sample(5, 1)) * 10^runif(1, -6, 9), sample(9, 1))))
said <- sapply(vectors, function(x) {
  sprintf('{"values": %s, "plain": %s, "seven": %s}', list_of(number(x)), list_of(quoted(format(x, digits = 7))),
          list_of(quoted(format(x, digits = 7, nsmall = 7))))
})
writeLines(paste0("[", paste(said, collapse = ",\n"), "]"), file.path(folder, "r_format.json"))
