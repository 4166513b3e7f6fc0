const idsPerRequest = 100

interface Batch<Item> {
  readonly ids: Set<number>
  readonly items: Promise<ReadonlyMap<number, Item>>
}

/**
 * Loads items by id, combining the ids requested at the same moment into one request: the fields of a form each ask on their own.
 * The result is null for items that do not exist or may not be read.
 */
export function batched<Item extends { readonly id: number }>(
  read: (ids: readonly number[]) => Promise<readonly Item[]>,
): (id: number) => Promise<Item | null> {
  let open: Batch<Item> | undefined

  function openBatch(): Batch<Item> {
    const ids = new Set<number>()
    const items = new Promise((resolve) => setTimeout(resolve)).then(async () => {
      if (open?.ids === ids) open = undefined
      const found = await read([...ids])
      return new Map(found.map((item) => [item.id, item]))
    })
    return { ids, items }
  }

  return async (id) => {
    if (open === undefined || open.ids.size >= idsPerRequest) open = openBatch()
    open.ids.add(id)
    const { items } = open
    return (await items).get(id) ?? null
  }
}
