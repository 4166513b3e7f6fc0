import { navigate } from 'wouter/use-browser-location'

const screens = /^\/admin(\/(?!assets\/|sign-in$)|$)/

/**
 * Handles links outside of the router without reloading the page: rows of lists, for which the component library clicks a link,
 * and links of plugins.
 */
export function followLinks() {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || !isForThisPage(event, link)) return
    event.preventDefault()
    navigate(link.pathname + link.search + link.hash)
  })
}

function isForThisPage(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.altKey || event.shiftKey)
  const isHere = link.pathname === location.pathname && link.search === location.search
  return (
    !event.defaultPrevented &&
    isPlain &&
    link.hasAttribute('href') &&
    !link.hasAttribute('download') &&
    ['', '_self'].includes(link.target) &&
    link.origin === location.origin &&
    screens.test(link.pathname) &&
    !(isHere && link.hash !== '')
  )
}
