import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EXPLAINED } from '../../scripts/schema-fuzz/explained.mjs'
import { readReport, unexplainedFindings } from '../../scripts/schema-fuzz/findings.mjs'

const base64 = (value: unknown) => ({
  $base64: Buffer.from(JSON.stringify(value)).toString('base64'),
})

/** Returns a failed check of a call in the form of a Schemathesis report. */
function failedCheckOf(check: string, status: number, error: string) {
  const request = { method: 'POST', uri: 'http://127.0.0.1/v1/orders', body: base64({}) }
  const response = { status_code: status, content: base64({ success: false, error }) }
  return {
    ScenarioFinished: {
      recorder: {
        label: 'POST /orders',
        checks: { a: [{ name: check, status: 'failure' }] },
        interactions: { a: { request, response } },
      },
    },
  }
}

/** Returns the unexplained findings in a report with these events. */
function unexplainedOf(...events: unknown[]) {
  const file = join(mkdtempSync(join(tmpdir(), 'report-')), 'report.ndjson')
  writeFileSync(file, events.map((event) => JSON.stringify(event)).join('\n'))
  return unexplainedFindings(readReport(file).findings, EXPLAINED)
}

const NO_PRODUCT = 'This store has no product 7. Send the id of an existing one.'

test('a refusal of a valid call with an explained message is not reported', () => {
  expect(unexplainedOf(failedCheckOf('positive_data_acceptance', 422, NO_PRODUCT))).toEqual([])
})

test('a refusal of a valid call with an unexplained message is reported', () => {
  expect(
    unexplainedOf(failedCheckOf('positive_data_acceptance', 422, 'Use 1 or more.')),
  ).toMatchObject([{ operation: 'POST /orders', status: 422, message: 'Use 1 or more.' }])
})

test('an answer with status 500 and an explained message is reported', () => {
  expect(unexplainedOf(failedCheckOf('positive_data_acceptance', 500, NO_PRODUCT))).toHaveLength(1)
})

test('an answer that differs from its schema is reported, although its message is explained', () => {
  expect(unexplainedOf(failedCheckOf('response_schema_conformance', 422, NO_PRODUCT))).toHaveLength(
    1,
  )
})

test('an aborted run is reported', () => {
  expect(unexplainedOf({ FatalError: { message: 'The document was not found.' } })).toHaveLength(1)
})
