import { describe, expect, test } from 'vitest'
import { checkTarget, isForbiddenAddress } from './address.rules.ts'

const NO_HOSTS: ReadonlySet<string> = new Set()
const ALLOWED_HOSTS: ReadonlySet<string> = new Set([
  '127.0.0.1',
  'localhost',
  '::1',
  'shop.internal',
])

const FORBIDDEN_ADDRESSES = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255'],
  ...['127.0.0.1', '127.255.255.255', '168.63.129.16', '169.254.169.254', '172.16.0.1'],
  ...['172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.0.1', '198.18.0.1'],
  ...['198.19.255.255', '198.51.100.7', '203.0.113.7', '224.0.0.1', '239.255.255.255'],
  ...['240.0.0.1', '255.255.255.255', '::', '::1', '::127.0.0.1', '::8.8.8.8', '::ffff:127.0.0.1'],
  ...['::ffff:7f00:1', '::ffff:a9fe:a9fe', '::ffff:0:8.8.8.8', '64:ff9b::7f00:1'],
  ...['64:ff9b::10.0.0.1', '64:ff9b::a83f:8110', '64:ff9b:1::1', '64:ff9b:0:0:1::808:808'],
  ...['100::1', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:10::1', '2001:20::1'],
  ...['2001:db8::1', '2002:7f00:1::', '2002:808:808::1', '3fff::1', '3fff:fff:ffff::1', '4000::1'],
  ...['5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1'],
  ...['not an address', '', '127.1', 'localhost'],
]

const GLOBAL_ADDRESSES = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.1', '168.63.129.15', '168.63.129.17', '169.253.255.255'],
  ...['172.15.255.255', '172.32.0.0', '192.0.1.1', '198.17.255.255', '198.20.0.0'],
  ...['223.255.255.255', '2606:4700::1111', '2a00:1450:4001::1', '2001:200::1', '2003::1'],
  ...['3ffe:ffff::1', '::ffff:8.8.8.8', '::ffff:808:808', '64:ff9b::8.8.8.8', '64:ff9b::101:101'],
]

const REFUSED: readonly (readonly [string, string])[] = [
  ['https://127.0.0.1/', 'forbidden_address'],
  ['https://127.1/', 'forbidden_address'],
  ['https://0x7f.1/', 'forbidden_address'],
  ['https://0x7f000001/', 'forbidden_address'],
  ['https://2130706433/', 'forbidden_address'],
  ['https://017700000001/', 'forbidden_address'],
  ['https://0177.0.0.1/', 'forbidden_address'],
  ['https://%31%32%37.0.0.1/', 'forbidden_address'],
  ['https://127.0.0.1./', 'forbidden_address'],
  ['https://0/', 'forbidden_address'],
  ['https://10.1/', 'forbidden_address'],
  ['https://0xa9fea9fe/latest/meta-data/', 'forbidden_address'],
  ['https://169.254.169.254/latest/', 'forbidden_address'],
  ['https://168.63.129.16/machine', 'forbidden_address'],
  ['https://3232235777/', 'forbidden_address'],
  ['https://[::1]/', 'forbidden_address'],
  ['https://[::]/', 'forbidden_address'],
  ['https://[0:0:0:0:0:0:0:1]/', 'forbidden_address'],
  ['https://[::ffff:127.0.0.1]/', 'forbidden_address'],
  ['https://[::ffff:7f00:1]/', 'forbidden_address'],
  ['https://[::127.0.0.1]/', 'forbidden_address'],
  ['https://[64:ff9b::127.0.0.1]/', 'forbidden_address'],
  ['https://[64:ff9b::169.254.169.254]/', 'forbidden_address'],
  ['https://[2002:7f00:1::]/', 'forbidden_address'],
  ['https://[fd00:ec2::254]/latest/', 'forbidden_address'],
  ['https://[fe80::1]/', 'forbidden_address'],
  ['https://localhost/', 'forbidden_address'],
  ['https://LOCALHOST/', 'forbidden_address'],
  ['https://localhost./', 'forbidden_address'],
  ['https://a.localhost/', 'forbidden_address'],
  ['https://%6cocalhost/', 'forbidden_address'],
  ['https://①②⑦.0.0.1/', 'non_ascii'],
  ['https://127。0。0。1/', 'non_ascii'],
  ['https://bücher.example/', 'non_ascii'],
  ['https://example.com/ü', 'non_ascii'],
  ['https://exa\u00admple.com/', 'non_ascii'],
  ['https://user:secret@example.com/', 'user_info'],
  ['https://user@example.com/', 'user_info'],
  ['https://@example.com/', 'user_info'],
  ['https://:@example.com/', 'user_info'],
  ['https://example.com@127.0.0.1/', 'user_info'],
  ['https:///user:secret@example.com/', 'user_info'],
  ['https:////user:secret@example.com/', 'user_info'],
  ['https:///user@example.com/', 'user_info'],
  ['https:///:secret@example.com/', 'user_info'],
  ['HTTPS:///user:secret@example.com/', 'user_info'],
  ['https://user:p%40ss@example.com/', 'user_info'],
  ['https://a@b@example.com/', 'user_info'],
  ['https://user:secret@example.com:8443/', 'user_info'],
  ['https://user:secret@[2606:4700::1111]/', 'user_info'],
  ['https:///@example.com/', 'not_a_url'],
  ['https:///example.com/', 'not_a_url'],
  ['https:////example.com/', 'not_a_url'],
  ['https:user:secret@example.com/', 'not_a_url'],
  ['https:/user:secret@example.com/', 'not_a_url'],
  ['https:\\\\user:secret@example.com/', 'not_a_url'],
  ['https:/\\user:secret@example.com/', 'not_a_url'],
  ['https://\\user:secret@example.com/', 'not_a_url'],
  ['https://\\/user:secret@example.com/', 'not_a_url'],
  ['https://example.com\\user:secret@example.org/', 'not_a_url'],
  ['https://user%40example.com/', 'not_a_url'],
  ['https://user%3Asecret%40example.com/', 'not_a_url'],
  ['https:/\t/user:secret@example.com/', 'control_characters'],
  ['https://\t/user:secret@example.com/', 'control_characters'],
  ['https:\n//user:secret@example.com/', 'control_characters'],
  ['https://user:secret\r@example.com/', 'control_characters'],
  ['\u0000https://user:secret@example.com/', 'control_characters'],
  ['https://user:secret＠example.com/', 'non_ascii'],
  ['https:／／user:secret@example.com/', 'non_ascii'],
  ['http://example.com/', 'scheme'],
  ['HTTP://example.com/', 'scheme'],
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['gopher://127.0.0.1:6379/_x', 'scheme'],
  ['ws://example.com/', 'scheme'],
  ['javascript:alert(1)', 'not_a_url'],
  ['data:text/plain,x', 'not_a_url'],
  ['https:example.com', 'not_a_url'],
  ['https:/example.com', 'not_a_url'],
  ['https:\\\\example.com\\x', 'not_a_url'],
  ['https://example.com\\@127.0.0.1/', 'not_a_url'],
  ['//example.com/', 'not_a_url'],
  ['example.com', 'not_a_url'],
  ['', 'not_a_url'],
  ['https://', 'not_a_url'],
  ['https:///', 'not_a_url'],
  ['https://:443/', 'not_a_url'],
  ['https://exa%00mple.com/', 'not_a_url'],
  ['https://[::1', 'not_a_url'],
  ['https://[fe80::1%25eth0]/', 'not_a_url'],
  ['https://1.2.3.4.5/', 'not_a_url'],
  ['https://256.1.1.1/', 'not_a_url'],
  ['https://example.com:65536/', 'not_a_url'],
  ['https://example.com:x/', 'not_a_url'],
  [' https://example.com/', 'control_characters'],
  ['https://example.com/ ', 'control_characters'],
  ['https://exam\tple.com/', 'control_characters'],
  ['https://127.0\n.0.1/', 'control_characters'],
  ['https://example.com/\r\nx: y', 'control_characters'],
  ['https://example.com/\u0000', 'control_characters'],
  ['https://example.com/\u007f', 'control_characters'],
  ['ht\ntps://example.com/', 'control_characters'],
  ['https://example.com/#x', 'fragment'],
  ['https://example.com/#', 'fragment'],
  ['https://example.com:0/', 'port'],
  ['https://example.com:22/', 'port'],
  ['https://example.com:25/', 'port'],
  ['https://example.com:053/', 'port'],
  ['https://example.com:110/', 'port'],
  ['https://example.com:143/', 'port'],
  ['https://example.com:445/', 'port'],
  ['https://example.com:3306/', 'port'],
  ['https://example.com:5432/', 'port'],
  ['https://example.com:6379/', 'port'],
  ['https://example.com:9200/', 'port'],
  ['https://example.com:11211/', 'port'],
  ['https://a..b/', 'host'],
  ['https://-/', 'host'],
  ['https://-a.example.com/', 'host'],
  ['https://a-.example.com/', 'host'],
  ['https://example.com../', 'host'],
  ['https://.example.com/', 'host'],
  ['https://*.example.com/', 'host'],
  [`https://${'a'.repeat(64)}.com/`, 'host'],
  [`https://${'a.'.repeat(127)}com/`, 'host'],
  [`https://example.com/${'a'.repeat(2029)}`, 'too_long'],
]

describe('addresses', () => {
  test.each(FORBIDDEN_ADDRESSES)('the address %j is forbidden', (ip) => {
    expect(isForbiddenAddress(ip)).toBe(true)
  })

  test.each(GLOBAL_ADDRESSES)('the address %j is allowed', (ip) => {
    expect(isForbiddenAddress(ip)).toBe(false)
  })
})

describe('webhook URLs', () => {
  test.each(REFUSED)('the URL %j is refused with %s', (url, refusal) => {
    expect(checkTarget(url, NO_HOSTS)).toEqual({
      refusal,
      message: expect.stringMatching(/^[A-Z].*\.$/),
    })
  })

  test('a backslash is named', () => {
    const { message } = checkTarget('https:\\\\example.com/', NO_HOSTS) as { message: string }
    expect(message).toContain('Remove the backslash')
  })

  test('a plain https URL is parsed into origin, host and path', () => {
    expect(checkTarget('https://Shop.Example.com.:8443/a/../b?q=1', NO_HOSTS)).toEqual({
      origin: 'https://shop.example.com:8443',
      isSecure: true,
      host: 'shop.example.com',
      port: 8443,
      path: '/b?q=1',
    })
  })

  test.each([
    'https://example.com',
    'https://example.com:443/x@y',
    'https://example.com/?to=user:secret@example.org',
    'https://example.com//user:secret@example.org/',
    'https://xn--bcher-kva.example/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    `https://example.com/${'a'.repeat(2028)}`,
  ])('%s is accepted', (url) => {
    expect(checkTarget(url, NO_HOSTS)).toHaveProperty('origin')
  })

  test.each([
    'http://127.0.0.1:4000/',
    'http://2130706433:4000/',
    'http://localhost.:4000/',
    'http://[::1]:4000/',
    'https://shop.internal/',
  ])('%s is accepted if the operator allowed its host', (url) => {
    expect(checkTarget(url, ALLOWED_HOSTS)).toHaveProperty('origin')
  })

  test.each([
    ['http://localhost:6379/', 'port'],
    ['http://localhost:0/', 'port'],
    ['http://127.0.0.2/', 'scheme'],
    ['https://127.0.0.2/', 'forbidden_address'],
    ['https://a.localhost/', 'forbidden_address'],
    ['http://a@localhost/', 'user_info'],
    ['http:///a:b@localhost/', 'user_info'],
    ['http:///localhost/', 'not_a_url'],
  ])('%s is refused with %s, even if the operator allowed hosts', (url, refusal) => {
    expect(checkTarget(url, ALLOWED_HOSTS)).toHaveProperty('refusal', refusal)
  })
})
