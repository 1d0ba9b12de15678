// Mocha's spec reporter, which also names and counts the tests that needed another try.

const { reporters } = require('mocha')

module.exports = class TestReporter extends reporters.Spec {
  #retried = []

  constructor(runner, options) {
    super(runner, options)
    runner.on('retry', (test, error) => this.#retried.push(`${test.fullTitle()}: ${error?.message ?? error}`))
  }

  epilogue() {
    super.epilogue()
    console.log(`  ${this.#retried.length} tests needed another try`)
    for (const line of this.#retried) console.log(`    ${line}`)
  }
}
