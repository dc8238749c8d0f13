/** Reads every record of every page of a list, such as `api.categories.list()`. */
export async function allOf<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of list) all.push(item)
  return all
}
