/** Creates a list that is stored in this tab of the browser under a key. It survives a reload of the page. */
export const createSessionList = <Item>(storageKey: string) => ({
  read(): Item[] {
    try {
      return JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as Item[]
    } catch {
      return []
    }
  },
  save(items: readonly Item[]) {
    try {
      if (items.length === 0) sessionStorage.removeItem(storageKey)
      else sessionStorage.setItem(storageKey, JSON.stringify(items))
    } catch {
      // Without storage the items are only in the memory of the page.
    }
  },
})
