# Writes rpart_costs.json and visits.csv: the trees that rpart (4.1.19) grows with priors, losses and both, node by node,
# for tests/engine/growing/test_altered_priors.py.
#   Rscript tests/data/rpart_costs.R tests/data
library(rpart)
folder <- commandArgs(trailingOnly = TRUE)[1]
number <- function(x) format(x, digits = 12, scientific = TRUE, trim = TRUE)
list_of <- function(texts) paste0("[", paste(texts, collapse = ", "), "]")
quoted <- function(x) list_of(sprintf('"%s"', x))

# A table of three classes with numbers and levels. No values are missing, so that no surrogates tell where rows go.
set.seed(11)
rows <- 600
visits <- data.frame(
  age = sample(18:80, rows, TRUE), stay = round(rexp(rows, 1 / 6), 1), dose = round(rnorm(rows, 40, 12), 1),
  ward = sample(c("north", "east", "south", "west"), rows, TRUE)
)
harm <- with(visits, 0.03 * age + 0.12 * stay - 0.02 * dose + ifelse(ward %in% c("east", "west"), 0.9, 0) + rlogis(rows))
visits$outcome <- cut(harm, c(-Inf, 1.6, 3.4, Inf), c("better", "same", "worse"))
write.csv(visits, file.path(folder, "visits.csv"), row.names = FALSE, quote = FALSE)

# One line for each node in preorder; rows with the column's value below the cut, or with these levels, go to "first",
# the child that follows at once if "leads".
lines <- function(fit, data) {
  frame <- fit$frame
  place <- cumsum(c(1, frame$var != "<leaf>"))  # no competing splits, no surrogates
  sapply(seq_len(nrow(frame)), function(i) {
    said <- sprintf('"n": %d, "label": "%s", "complexity": %s, "risk": %s', frame$n[i], attr(fit, "ylevels")[frame$yval[i]],
                    number(frame$complexity[i]), number(frame$dev[i]))
    if (frame$var[i] == "<leaf>") return(paste0("{", said, "}"))
    split <- fit$splits[place[i], ]
    column <- rownames(fit$splits)[place[i]]
    if (abs(split["ncat"]) == 1) {
      what <- sprintf('"cut": %s, "leads": %s', number(split["index"]), if (split["ncat"] < 0) "true" else "false")
    } else {
      way <- fit$csplit[split["index"], seq_len(split["ncat"])]
      what <- sprintf('"levels": %s, "leads": true', quoted(attr(fit, "xlevels")[[column]][way == 1]))
    }
    sprintf('{%s, "column": "%s", %s, "improve": %s}', said, column, what, number(split["improve"]))
  })
}

case <- function(name, file, data, target, columns, prior, loss, split = "gini") {
  data[[target]] <- factor(data[[target]])
  classes <- levels(data[[target]])
  parms <- list(split = split)
  if (!is.null(prior)) parms$prior <- prior
  if (!is.null(loss)) parms$loss <- loss
  grown <- function(cp) {
    control <- rpart.control(cp = cp, maxsurrogate = 0, maxcompete = 0, xval = 0)
    rpart(as.formula(paste(target, "~", paste(columns, collapse = " + "))), data, method = "class", parms = parms,
          control = control)
  }
  sprintf(
    '{"name": "%s", "file": "%s", "target": "%s", "columns": %s, "classes": %s, "split": "%s",\n "prior": %s, "loss": %s,\n "full": %s,\n "kept": %s}',
    name, file, target, quoted(columns), quoted(classes), split,
    if (is.null(prior)) "null" else list_of(number(prior)),
    if (is.null(loss)) "null" else list_of(apply(loss, 1, function(row) list_of(number(row)))),
    paste0("[\n  ", paste(lines(grown(-1), data), collapse = ",\n  "), "]"), sum(grown(0.01)$frame$var == "<leaf>")
  )
}

loans <- read.csv(file.path(folder, "loans.csv"))
stagec <- read.csv(file.path(folder, "stagec.csv"))
two <- matrix(c(0, 1, 4, 0), 2, byrow = TRUE)
three <- matrix(c(0, 1, 2, 3, 0, 1, 8, 4, 0), 3, byrow = TRUE)
of_kyphosis <- c("Age", "Number", "Start")
of_loans <- c("income", "debt", "age", "years")
of_stagec <- c("age", "eet", "g2", "grade", "gleason")
of_visits <- c("age", "stay", "dose", "ward")
found <- c(
  case("kyphosis, prior", "kyphosis.csv", kyphosis, "Kyphosis", of_kyphosis, c(0.6, 0.4), NULL),
  case("kyphosis, both", "kyphosis.csv", kyphosis, "Kyphosis", of_kyphosis, c(0.9, 0.1), two),
  case("stagec, prior", "stagec.csv", stagec, "pgstat", of_stagec, c(0.35, 0.65), NULL),
  case("loans, loss", "loans.csv", loans, "repaid", of_loans, NULL, t(two)),
  case("loans, both", "loans.csv", loans, "repaid", of_loans, c(0.5, 0.5), t(two)),
  case("loans, both, entropy", "loans.csv", loans, "repaid", of_loans, c(0.3, 0.7), two, "information"),
  case("visits, prior", "visits.csv", visits, "outcome", of_visits, c(0.2, 0.3, 0.5), NULL),
  case("visits, loss", "visits.csv", visits, "outcome", of_visits, NULL, three),
  case("visits, both", "visits.csv", visits, "outcome", of_visits, c(0.5, 0.3, 0.2), three),
  case("visits, both, entropy", "visits.csv", visits, "outcome", of_visits, c(0.3, 0.3, 0.4), t(three), "information")
)
writeLines(paste0("[", paste(found, collapse = ",\n"), "]"), file.path(folder, "rpart_costs.json"))
