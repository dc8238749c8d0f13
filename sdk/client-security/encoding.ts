const encoder = new TextEncoder()
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

export function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Decodes base64url. Returns undefined unless the text is in canonical form. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    return toBase64Url(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}

export async function sha256Hex(data: Uint8Array): Promise<string> {
  const hash = new Uint8Array(
    await crypto.subtle.digest('SHA-256', data as Uint8Array<ArrayBuffer>),
  )
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
