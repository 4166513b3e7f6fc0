import { type ComponentType, useEffect, useRef } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { useAccess } from '../ground/access/access.ts'
import { type TextKey, t } from '../ground/i18n/translate.ts'
import { Link } from '../ground/kit/link/link.tsx'
import { lazyPart } from '../ground/lazy/lazy-part.ts'
import classes from './area.module.css'
import { NotFoundPage } from './refusal-pages.tsx'
import { isWithin, obstacleTo, type Section } from './screen.ts'
import { ShownScreen } from './shown-screen.tsx'

export interface AreaParts {
  /** The name of its navigation, as the large navigation has it: `shell.operations`. */
  readonly title: TextKey
  /** Where it begins: `/operations`. It leads to the first section that one may open. */
  readonly start: string
  /** Of two that match a path, the first one wins. */
  readonly sections: readonly Section[]
}

/** Several screens below one path, with a navigation of their own: the component of one line in `screens.ts`. */
export function createArea({ title, start, sections }: AreaParts): ComponentType {
  const loadable = sections.map((section) => ({ section, component: lazyPart(section.load, 'screen') }))
  return function Area() {
    return (
      <div className={classes.area}>
        <SectionNavigation title={title} sections={sections} />
        <div className={classes.section}>
          <Switch>
            {loadable.map(({ section, component }) => (
              <Route key={section.path} path={section.path}>
                <ShownScreen screen={section} component={component} />
              </Route>
            ))}
            <Route path={start}>
              <FirstSection sections={sections} />
            </Route>
            <Route>
              <NotFoundPage />
            </Route>
          </Switch>
        </div>
      </div>
    )
  }
}

/** The sections that have a name and would not be refused. */
function useShownSections(sections: readonly Section[]) {
  const access = useAccess()
  return sections.flatMap((section) => {
    const { path, label } = section
    return label === undefined || obstacleTo(section, access) !== undefined ? [] : [{ path, label }]
  })
}

function FirstSection({ sections }: Pick<AreaParts, 'sections'>) {
  const [first] = useShownSections(sections)
  return first === undefined ? <NotFoundPage /> : <Redirect to={first.path} replace />
}

/** Where there is no room for all of them, it scrolls, and the current one is in sight. */
function SectionNavigation({ title, sections }: Pick<AreaParts, 'title' | 'sections'>) {
  const [location] = useLocation()
  const shown = useShownSections(sections)
  const list = useRef<HTMLUListElement>(null)
  const current = shown.find(({ path }) => isWithin(path, location))?.path
  useEffect(() => {
    if (current === undefined) return
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <nav aria-label={t(title)} className={classes.navigation}>
      <ul ref={list} className={classes.list}>
        {shown.map(({ path, label }) => (
          <li key={path}>
            <Link to={path} className={classes.item} isCurrent={path === current}>
              {t(label)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
