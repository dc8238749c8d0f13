import { expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { banner } from './banner.ts'
import type { ReadyFile } from './ready-file.ts'

function bannerText(hasNewKeys: boolean): string {
  const configResult = readConfig({ DATA_DIR: '/srv/shop' })
  if ('faults' in configResult) throw new Error(configResult.faults.join())
  const side = (livemode: boolean, mode: string) => ({
    id: `AAAAAAAAAAA${mode.length}`,
    slug: 'demo',
    livemode,
    ...(hasNewKeys && { api_key: `sk_${mode}_x`, security_key: `sec_${mode}_x` }),
  })
  const ready: ReadyFile = {
    pid: 1,
    version: '1',
    database: 'embedded',
    store_api: 'http://127.0.0.1:4100/v1',
    security_api: 'http://127.0.0.1:4100/security/v1',
    stores: [side(true, 'live'), side(false, 'testing')],
  }
  return banner({ config: configResult.config }, ready, { demo: false })
}

test('a start that creates keys shows one call with the test key, and the file with the others (decision 146)', () => {
  const text = bannerText(true)
  expect(text).toContain(
    "curl -s http://127.0.0.1:4100/v1/products -H 'x-api-key: sk_testing_x' -H 'x-store-hash: AAAAAAAAAAA7'",
  )
  expect(text).toContain('/srv/shop/keys.txt')
  expect(text).not.toContain('sk_live_x')
  expect(text).not.toContain('sec_')
  expect(text).not.toContain('keys create')
})

test('a start with the embedded database names the guide for moving the data to a server, because DATABASE_URL alone opens an empty database', () => {
  expect(bannerText(false)).toContain(
    'To move it to a PostgreSQL server (DATABASE_URL=postgres://…), see docs/guides/backup.md',
  )
})

test('a later start says how to create another key', () => {
  const text = bannerText(false)
  expect(text).toContain('npx tradepost keys create --store AAAAAAAAAAA4 --permissions all')
  expect(text).not.toContain('curl')
  expect(text).not.toContain('keys.txt')
})
