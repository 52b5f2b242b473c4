#!/bin/sh
# Shows a real answer about the page beside this file: someone has selected words in
# a comment and is writing a reply. The one argument is the program.
set -eu
program=$1
page=$(dirname "$0")/article.html
words='under the tiles of the old mill'

cat <<TEXT

A page is open in a browser. Words are selected in one of its comments, and the
cursor is in the field for a reply. This is what an agent sees of it:

\$ $program snapshot --outline --focus '#reply' --select-text '$words' $page

TEXT
"$program" snapshot --outline --focus '#reply' --select-text "$words" "$page"
cat <<TEXT

Where to go next:

  all of the page          $program snapshot --outline --scope page $page
  the same as JSON         $program snapshot --scope page --json $page
  is that valid?           $program snapshot $page | $program validate
  a page of your own       $program snapshot --outline https://example.com/
  everything else          $program snapshot --help, README.md, docs/

TEXT
