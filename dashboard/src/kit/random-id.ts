/**
 * A random text of 32 hexadecimal digits. `crypto.randomUUID` exists only on https and on localhost;
 * a dashboard on a plain address of a local network has to work too.
 */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
