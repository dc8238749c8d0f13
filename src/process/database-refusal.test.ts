import { expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { asRefusal } from './database-refusal.ts'
import { StartError } from './start-error.ts'

const checked = readConfig({ DATA_DIR: '/srv/shop' })
if ('faults' in checked) throw new Error(checked.faults.join())
const { config } = checked

const failed = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: it failed`), { code, path })

test.each([
  [
    'EACCES',
    '/srv/shop/secrets.key',
    '/srv/shop/secrets.key: this user may not use it. Give it to',
  ],
  ['EROFS', '/srv/shop/pg', '/srv/shop/pg: its file system is read-only. Make it writable'],
  ['ENOSPC', undefined, '/srv/shop: the disk is full. Free some space, then start again.'],
  ['53100', undefined, '/srv/shop: the disk is full. Free some space, then start again.'],
])('%s in DATA_DIR is reported with a remedy', (code, path, says) => {
  const refusal = asRefusal(config, failed(code, path))
  expect(refusal).toBeInstanceOf(StartError)
  expect((refusal as Error).message).toMatch(`DATA_DIR: ${says}`)
})

test.each([
  ['of another folder', failed('EACCES', '/var/run/postgresql')],
  ['with another cause', failed('EIO', '/srv/shop/pg')],
  ['of a server', failed('EACCES')],
])('an error %s is returned unchanged', (_, error) => {
  expect(asRefusal(config, error)).toBe(error)
})
