import { expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { asStartError } from './database-start-error.ts'
import { StartError } from './start-error.ts'

const configResult = readConfig({ DATA_DIR: '/srv/shop' })
if ('faults' in configResult) throw new Error(configResult.faults.join())
const { config } = configResult

const errorOf = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: it failed`), { code, path })

test.each([
  [
    'EACCES',
    '/srv/shop/secrets.key',
    '/srv/shop/secrets.key: this user may not use it. Give it to',
    2,
  ],
  ['EROFS', '/srv/shop/pg', '/srv/shop/pg: its file system is read-only. Make it writable', 2],
  ['ENOSPC', undefined, '/srv/shop: the disk is full. Free some space, then start again.', 1],
  ['53100', undefined, '/srv/shop: the disk is full. Free some space, then start again.', 1],
])('%s in DATA_DIR is reported with a remedy', (code, path, message, exitCode) => {
  const startError = asStartError(config, errorOf(code, path))
  expect(startError).toBeInstanceOf(StartError)
  expect((startError as StartError).message).toMatch(`DATA_DIR: ${message}`)
  expect((startError as StartError).exitCode).toBe(exitCode)
})

test.each([
  ['of another folder', errorOf('EACCES', '/var/run/postgresql')],
  ['with another cause', errorOf('EIO', '/srv/shop/pg')],
  ['of a server', errorOf('EACCES')],
])('an error %s is returned unchanged', (_, error) => {
  expect(asStartError(config, error)).toBe(error)
})
