import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EXPLAINED } from '../../scripts/schema-fuzz/explained.mjs'
import { readReport, unexplained } from '../../scripts/schema-fuzz/findings.mjs'

const base64 = (value: unknown) => ({
  $base64: Buffer.from(JSON.stringify(value)).toString('base64'),
})

/** One call in the form of a Schemathesis report. */
function callOf(check: string, status: number, error: string) {
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

function leftOf(...events: unknown[]) {
  const file = join(mkdtempSync(join(tmpdir(), 'report-')), 'report.ndjson')
  writeFileSync(file, events.map((event) => JSON.stringify(event)).join('\n'))
  return unexplained(readReport(file).findings, EXPLAINED)
}

const NO_PRODUCT = 'There is no product with this id.'

test('an explained refusal of a valid call is no fault', () => {
  expect(leftOf(callOf('positive_data_acceptance', 422, NO_PRODUCT))).toEqual([])
})

test('a refusal without an explanation is a fault', () => {
  expect(leftOf(callOf('positive_data_acceptance', 422, 'Use 1 or more.'))).toMatchObject([
    { operation: 'POST /orders', status: 422, message: 'Use 1 or more.' },
  ])
})

test('an answer of 500 is a fault whatever its message', () => {
  expect(leftOf(callOf('positive_data_acceptance', 500, NO_PRODUCT))).toHaveLength(1)
})

test('an answer that differs from its schema is a fault', () => {
  expect(leftOf(callOf('response_schema_conformance', 422, NO_PRODUCT))).toHaveLength(1)
})

test('a run that broke off is a fault', () => {
  expect(leftOf({ FatalError: { message: 'The document was not found.' } })).toHaveLength(1)
})
