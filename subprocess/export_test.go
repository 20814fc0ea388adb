package subprocess

// Slack is slack, for its test.
var Slack = slack
