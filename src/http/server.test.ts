import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { type StoreError, unavailable } from '../kernel/errors.ts'
import { openServer } from './server.ts'

const render = ({ status, code }: StoreError) => ({ status, body: JSON.stringify({ code }) })

test('the log names the route and not the path, which may open what it leads to', async () => {
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const server = openServer(log, [], render)
  onTestFinished(() => server.close())
  server.get('/files/:link', async () => 'bytes')
  await server.inject('/files/SECRET?token=SECRET')
  await server.inject('/nowhere/SECRET')
  const told = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  expect(told).toMatchObject([
    { method: 'GET', path: '/files/:link', status: 200 },
    { method: 'GET', path: null, status: 404 },
  ])
  expect(lines.join()).not.toContain('SECRET')
})

test.each([
  [
    'a file',
    unavailable(
      'Files cannot be kept now.',
      1,
      Object.assign(new Error('disk full'), { code: 'ENOSPC' }),
    ),
  ],
  ['the database', Object.assign(new Error('disk full'), { code: '53100' })],
])('what keeps %s away is told to the log, and to nobody else', async (_, error) => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const server = openServer(log, [], render)
  onTestFinished(() => server.close())
  server.get('/', async () => {
    throw error
  })
  const answer = await server.inject('/')
  expect(answer).toMatchObject({ statusCode: 503, body: '{"code":"SERVICE_UNAVAILABLE"}' })
  const failed = (error as { code?: string; cause?: { code: string } }).cause?.code ?? error.code
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, reason: 'disk full', failed },
  ])
})
