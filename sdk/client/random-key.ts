/**
 * A random text of 32 hexadecimal digits. Browsers have `crypto.randomUUID` only on https and on
 * localhost.
 */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
