import { expect, test } from 'vitest'
import type { App } from '../app.ts'
import { readConfig } from '../config/config.ts'
import { banner } from './banner.ts'
import type { Ready } from './ready-file.ts'

function shown(api_key: string | undefined): string {
  const checked = readConfig({})
  if ('faults' in checked) throw new Error(checked.faults.join())
  const side = { id: 'AAAAAAAAAAA1', slug: 'demo', livemode: true, ...(api_key && { api_key }) }
  const api = 'http://127.0.0.1:4100/v1'
  const ready: Ready = {
    pid: 1,
    version: '1',
    database: 'embedded',
    store_api: api,
    stores: [side],
  }
  return banner({ config: checked.config } as App, ready, { demo: false })
}

test('the start that made a key shows it, in a call that can be pasted', () => {
  const text = shown('sk_live_x')
  expect(text).toContain(
    "curl -s http://127.0.0.1:4100/v1/products -H 'x-api-key: sk_live_x' -H 'x-store-hash: AAAAAAAAAAA1'",
  )
  expect(text).not.toContain('keys create')
})

test('a later start says how to make another one', () => {
  const text = shown(undefined)
  expect(text).toContain('npx tradepost keys create --store AAAAAAAAAAA1 --permissions all')
  expect(text).not.toContain('curl')
})
