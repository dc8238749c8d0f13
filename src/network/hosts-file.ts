import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { type Clock, MINUTE_MS } from '../kernel/time.ts'

type Hosts = ReadonlyMap<string, readonly string[]>

/** Returns a function that reads the system's hosts file at most once a minute. A missing file counts as empty. */
export function createHostsFile(path: string, clock: Clock): () => Promise<Hosts> {
  let hosts: Promise<Hosts> | undefined
  let expiresAt = 0
  return () => {
    if (hosts === undefined || clock.now() >= expiresAt) {
      expiresAt = clock.now() + MINUTE_MS
      hosts = readFile(path, 'utf8').then(parseHosts, () => new Map())
    }
    return hosts
  }
}

/** Returns the addresses by lower-case name, in the order of the file. */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (!isIP(address)) continue
    for (const name of names.map((item) => item.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), address])
    }
  }
  return hosts
}
