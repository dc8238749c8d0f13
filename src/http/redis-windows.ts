import type { Redis } from 'ioredis'
import { SECOND_MS } from '../kernel/time.ts'
import { WINDOW_MS } from './rate-limit.ts'

const CONNECT_TIMEOUT_MS = SECOND_MS
const RECONNECT_MS = SECOND_MS / 2
const PORT = 6379

/**
 * The script of a sliding window in a sorted set. Each counted call is a member, and its score is the
 * time of the call by the clock of Redis, because clocks of machines differ. With an empty mark no call
 * is counted. After the clock is set back, calls with a future time are moved to now (decision 112).
 */
const COUNT_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local moment = string.format('%.0f', now)
local limit, window, mark = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local ahead = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. moment, '+inf')
for _, member in ipairs(ahead) do redis.call('ZADD', KEYS[1], moment, member) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - window))
local size = redis.call('ZCARD', KEYS[1])
local allowed = 0
if size < limit then
  allowed = 1
  if mark ~= '' then
    redis.call('ZADD', KEYS[1], moment, mark)
    size = size + 1
  end
end
if (mark ~= '' and allowed == 1) or #ahead > 0 then redis.call('PEXPIRE', KEYS[1], window) end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return { allowed, size, oldest[2] and oldest[2] + window - now or window }
`

export interface WindowCount {
  allowed: boolean
  size: number
  /** Milliseconds until the oldest counted call leaves the window. */
  leaves_in_ms: number
}

/** Windows in Redis. While disconnected, every promise is rejected at once. */
export interface RedisWindows {
  /**
   * Counts a call under `mark` unless the window is full. Without a mark the window is only read.
   */
  count(key: string, limit: number, mark?: string): Promise<WindowCount>
  remove(key: string, mark: string): Promise<unknown>
  /** Replaces the open connection. A lost connection is reopened automatically. */
  reconnect(): void
  close(): void
}

/** Connects to Redis, and reconnects until closed. Rejects if the first attempt fails, but still reconnects. */
export async function connectWindows(
  url: string,
  onOpen: (windows: RedisWindows) => void,
): Promise<void> {
  const { Redis } = await import('ioredis')
  const redis = new Redis({
    ...addressOf(url),
    lazyConnect: true,
    protocol: 2,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: () => RECONNECT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    scripts: { countCall: { lua: COUNT_SCRIPT, numberOfKeys: 1 } },
  }) as Redis & { countCall(...args: (string | number)[]): Promise<[number, number, number]> }
  // Each command reports its own failure; without a listener, ioredis writes to standard error.
  redis.on('error', () => {})
  onOpen({
    async count(key, limit, mark = '') {
      const [allowed, size, leaves_in_ms] = await redis.countCall(key, limit, WINDOW_MS, mark)
      return { allowed: allowed === 1, size, leaves_in_ms }
    },
    remove: (key, mark) => redis.zrem(key, mark),
    reconnect() {
      if (redis.status === 'ready') redis.disconnect(true)
    },
    close: () => redis.disconnect(),
  })
  await redis.connect()
}

function addressOf(url: string) {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || PORT,
    db: Number(pathname.slice(1)) || 0,
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  }
}
