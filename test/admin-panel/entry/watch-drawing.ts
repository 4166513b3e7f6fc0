import type { Page } from 'playwright-core'

/*
 * What React has drawn is told to developer tools, also in production: they find it in the fibers of each commit. Function
 * components that have worked are flagged, and trees that were left alone are the same object as before.
 */
const hook = `
  const performedWork = 1
  const drawn = new Set()
  const isField = (fiber) => typeof fiber.memoizedProps?.['data-path'] === 'string'
  function visit(fiber, path) {
    const within = isField(fiber) ? fiber.memoizedProps['data-path'] : path
    const isNew = fiber.alternate === null || fiber.alternate.memoizedProps !== fiber.memoizedProps ||
      fiber.alternate.memoizedState !== fiber.memoizedState
    if (typeof fiber.type === 'function' && isNew && (fiber.flags & performedWork) !== 0 && within) drawn.add(within)
    if (fiber.alternate !== null && fiber.alternate.child === fiber.child) return
    for (let child = fiber.child; child !== null; child = child.sibling) visit(child, within)
  }
  globalThis.drawnFields = drawn
  globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: (_, root) => visit(root.current, ''),
    onCommitFiberUnmount() {},
    onPostCommitFiberRoot() {},
  }
`

/** Notes from then on which fields of forms are drawn. Before the page is opened. */
export const watchDrawing = (page: Page) => page.addInitScript(hook)

/** The paths of the fields that are drawn because of something, in order. */
export async function countDrawnFields(page: Page, act: () => Promise<unknown>): Promise<string[]> {
  await page.evaluate('drawnFields.clear()')
  await act()
  // The browser shows what has been drawn.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  return page.evaluate<string[]>('[...drawnFields].sort()')
}
