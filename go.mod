module github.com/webarea/webarea

go 1.26
