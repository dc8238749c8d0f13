import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { type Clock, MINUTE_MS } from '../kernel/time.ts'

export type Hosts = ReadonlyMap<string, readonly string[]>

/** The system's hosts file, read at most once a minute. A missing file counts as empty. */
export function createHostsFile(path: string, clock: Clock): () => Promise<Hosts> {
  let hosts: Promise<Hosts> | undefined
  let until = 0
  return () => {
    if (hosts === undefined || clock.now() >= until) {
      until = clock.now() + MINUTE_MS
      hosts = readFile(path, 'utf8').then(parseHosts, () => new Map())
    }
    return hosts
  }
}

/** Addresses by lower-case name, in the order of the file. */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (!isIP(address)) continue
    for (const name of names.map((each) => each.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), address])
    }
  }
  return hosts
}
