import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../process/build-once.ts'

const read = (...names: string[]) => readFile(join(ROOT, ...names), 'utf8')

test('every command of the quickstart is in README, whose commands are tested', async () => {
  const quickstart = await read('docs', 'guides', 'quickstart.md')
  const readme = await read('README.md')
  const commands = [...quickstart.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)
  expect(commands).toHaveLength(3)
  for (const command of commands) expect(readme).toContain(`\`\`\`sh\n${command}\`\`\``)
})
