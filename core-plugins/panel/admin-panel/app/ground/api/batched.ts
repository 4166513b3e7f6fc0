const idsPerRequest = 100

interface Batch<Item> {
  readonly ids: Set<number>
  readonly items: Promise<ReadonlyMap<number, Item>>
}

/**
 * Asks for things by their ids, all that are wanted at one moment in one request: the fields of a form ask on their own, and
 * at the same time. Answers null for what is not there for whoever is signed in.
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
