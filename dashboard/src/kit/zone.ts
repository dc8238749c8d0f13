// The time zone of the open store. Days and times are typed and shown in it, whatever the zone of the browser.

/** The number of characters of a day in the API, such as `2026-11-03`. */
export const ISO_DAY_LENGTH = 10

/** The zone of the store; undefined, which means that of the browser, until a store is open. */
let storeZone: string | undefined

/** Sets the zone of the open store. A zone that the browser does not know leaves the browser's own. */
export function setTimeZone(zone: string) {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    storeZone = zone
  } catch {
    storeZone = undefined
  }
}

export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zone in which days are typed and times are shown, such as `Asia/Tokyo`. */
export const timeZone = (): string => storeZone ?? browserZone()

/** Creates a format at its first use in a zone. */
export function onceInZone<Format>(create: (zone: string) => Format): () => Format {
  let created: { zone: string; format: Format } | undefined
  return () => {
    const zone = timeZone()
    if (created?.zone !== zone) created = { zone, format: create(zone) }
    return created.format
  }
}
