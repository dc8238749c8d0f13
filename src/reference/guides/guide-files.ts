import { readFileSync } from 'node:fs'
import { CODE_FOLDER } from '../../kernel/code-folder.ts'
import type { ReferencePage } from '../blocks.ts'
import { readGuide } from './read-guide.ts'

/** The guides in docs/guides that are pages of the reference, with their descriptions, in the order of the navigation. */
const GUIDES: readonly [name: string, description: string][] = [
  ['quickstart', 'A store on your machine, a first sale and a first webhook.'],
  ['client', 'The client package for programs in JavaScript and TypeScript.'],
  ['webhooks', 'Verify the events of a store in your language, and handle each of them once.'],
  ['payments', 'Take payments, refund them, and answer disputes.'],
  ['shipping', 'Zones, rates, parcels and returns of physical products.'],
  ['mail', 'The mail that buyers get, its texts, and the mail server.'],
  ['client-security', 'License keys, devices and sessions of programs that you sell.'],
  ['mcp', 'Let a language model use the store, with the permissions of a key.'],
  ['running', 'Install, configure and watch a server.'],
  ['docker', 'Run Tradepost and PostgreSQL in containers.'],
  ['backup', 'Save and restore the data, and move it to a database server or a bucket.'],
  ['upgrade', 'Install a new version, and go back to the old one.'],
  ['command-line', 'Every command of `tradepost`, also for a store on another machine.'],
]

const FOLDER = new URL('../docs/guides/', CODE_FOLDER)

/** The path of the pages of guides. */
const GUIDES_PATH = '/docs/guides/'

export const isGuide = ({ href }: Pick<ReferencePage, 'href'>): boolean =>
  href.startsWith(GUIDES_PATH)

/** Reads all guides. The files are a part of the package. */
export function readGuides(): ReferencePage[] {
  const names = new Set(GUIDES.map(([name]) => name))
  // A file that is no page of the reference, such as a decision, is in the repository only.
  const hrefOf = (target: string) => {
    const [, name = '', fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? []
    return names.has(name) ? `${GUIDES_PATH}${name}${fragment}` : undefined
  }
  return GUIDES.map(([name, description]) => {
    const text = readFileSync(new URL(`${name}.md`, FOLDER), 'utf8')
    const { title, blocks } = readGuide(text, hrefOf)
    return { href: GUIDES_PATH + name, title, description, blocks }
  })
}
