const metaContent = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="tradepost-${name}"]`)?.content ?? ''

/** The path of the public address; empty if Tradepost is served at the root of its host. */
export const BASE = metaContent('base')
/** The nonce with which the Content Security Policy of the page allows a style. */
export const NONCE = metaContent('nonce')
export const API = `${BASE}/dashboard/api`
