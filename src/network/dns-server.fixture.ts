// A small name server for tests, so that c-ares itself is tested, including CNAMEs.
import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'

export interface DnsRecord {
  name?: string
  type: 'A' | 'AAAA' | 'CNAME'
  ttl?: number
  /** An address, or the target of a CNAME. */
  data: string
}

/** Records for a question, `silence` for no answer, or a name error. */
export type DnsZone = (
  name: string,
  type: string,
  nth: number,
) => readonly DnsRecord[] | 'silence' | 'name_error'

const TYPES: Record<number, string> = { 1: 'A', 5: 'CNAME', 28: 'AAAA' }
const NUMBERS = { A: 1, CNAME: 5, AAAA: 28 }

/** `nth` counts the questions for one name and type, from 1. */
export async function startDnsServer(zone: DnsZone) {
  const socket = createSocket('udp4')
  const questions = new Map<string, number>()
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    const key = `${name} ${type}`
    const nth = (questions.get(key) ?? 0) + 1
    questions.set(key, nth)
    const answer = zone(name, type, nth)
    if (answer === 'silence') return
    socket.send(writeAnswer(query.subarray(0, end), name, answer), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    servers: [`127.0.0.1:${(socket.address() as AddressInfo).port}`],
    questions,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let offset = 12
  for (let size = query.readUInt8(offset); size > 0; size = query.readUInt8(offset)) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + size))
    offset += 1 + size
  }
  const type = TYPES[query.readUInt16BE(offset + 1)] ?? 'other'
  return { name: labels.join('.').toLowerCase(), type, end: offset + 5 }
}

function writeAnswer(question: Buffer, name: string, answer: readonly DnsRecord[] | 'name_error') {
  const records = answer === 'name_error' ? [] : answer
  const head = Buffer.from(question)
  head.writeUInt16BE(answer === 'name_error' ? 0x8583 : 0x8580, 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...records.map((record) => writeRecord(record, name))])
}

function writeRecord({ name, type, ttl = 0, data }: DnsRecord, questionName: string) {
  const value =
    type === 'CNAME' ? writeName(data) : type === 'A' ? bytesOfIpv4(data) : bytesOfIpv6(data)
  const fixedFields = Buffer.alloc(10)
  fixedFields.writeUInt16BE(NUMBERS[type], 0)
  fixedFields.writeUInt16BE(1, 2)
  fixedFields.writeUInt32BE(ttl, 4)
  fixedFields.writeUInt16BE(value.length, 8)
  return Buffer.concat([writeName(name ?? questionName), fixedFields, value])
}

const writeName = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ])

const bytesOfIpv4 = (ip: string) => Buffer.from(ip.split('.').map(Number))

function bytesOfIpv6(ip: string) {
  const [head = '', tail = ''] = ip.split('::')
  const [before, after] = [head, tail].map((part) => part.split(':').filter(Boolean))
  const zeros = new Array(8 - (before?.length ?? 0) - (after?.length ?? 0)).fill('0')
  const groups = [...(before ?? []), ...zeros, ...(after ?? [])]
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
