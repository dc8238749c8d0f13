import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../../test/harness.ts'
import { inputName } from '../command.ts'
import { adminCommands } from '../commands.ts'
import { answerCommand } from './answer-command.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const resend = (input: Record<string, unknown>) =>
  answerCommand(tradepost.app, adminCommands, {
    command: 'webhooks resend',
    input: { store: tradepost.live.id, failedSince: '2h', ...input },
  })

test('a server refuses an option that only a newer command line has', async () => {
  await expect(resend({ onlyFor: 'shop' })).rejects.toMatchObject({
    message:
      'The running server does not have the option "onlyFor" of "webhooks resend". Restart it with this version.',
    exitCode: 1,
  })
  expect(await resend({ onlyFor: undefined })).toEqual({ resent: 0, failed: 0 })
})

test.each([
  ['--failed-since <duration>', 'failedSince'],
  ['--test', 'test'],
  ['-f, --file <path>', 'file'],
  ['<endpoint>', 'endpoint'],
  ['[shell]', 'shell'],
])('the input name of %s is %s', (flags, name) => {
  expect(inputName(flags)).toBe(name)
})
