/** A user's position in a list. */
interface Place {
  readonly scrolledTo: number
  /** The key of the most recently used row. */
  readonly rowKey: string | undefined
}

/** By list URL, until the page is reloaded; the query cache lives equally long. */
const places = new Map<string, Place>()

/** A list rendered from the cache reaches its height within this many frames. */
const mostFrames = 60

/** Records the position in a list, after restoring the previous one. Returns a function to stop. */
export function keepPlace(element: HTMLElement, address: string): () => void {
  let place = places.get(address) ?? { scrolledTo: 0, rowKey: undefined }
  const stopGoing = place.rowKey === undefined ? () => {} : goTo(element, place)
  const note = (part: Partial<Place>) => {
    place = { ...place, ...part }
    places.set(address, place)
  }
  const onScroll = ({ target }: Event) => note({ scrolledTo: (target as Element).scrollTop })
  const onUse = ({ target }: Event) => {
    const rowKey = (target as Element).closest<HTMLElement>('[role=row][data-key]')?.dataset.key
    if (rowKey !== undefined) note({ rowKey })
  }
  element.addEventListener('scroll', onScroll, true)
  for (const kind of ['pointerdown', 'focusin']) element.addEventListener(kind, onUse)
  return () => {
    stopGoing()
    element.removeEventListener('scroll', onScroll, true)
    for (const kind of ['pointerdown', 'focusin']) element.removeEventListener(kind, onUse)
  }
}

/** Returns a function to stop. */
function goTo(element: HTMLElement, { scrolledTo, rowKey = '' }: Place): () => void {
  let frames = 0
  let request = requestAnimationFrame(go)
  function go() {
    const grid = element.querySelector<HTMLElement>('[role=grid]')
    const scroller = [grid, grid?.parentElement].find((each) => each && each.scrollHeight > each.clientHeight)
    if (scroller) scroller.scrollTop = scrolledTo
    const row = element.querySelector<HTMLElement>(`[role=row][data-key="${CSS.escape(rowKey)}"]`)
    if (row !== null && (scroller?.scrollTop ?? 0) >= scrolledTo - 1) row.focus({ preventScroll: true })
    else if (frames++ < mostFrames) request = requestAnimationFrame(go)
  }
  return () => cancelAnimationFrame(request)
}
