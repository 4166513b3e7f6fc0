import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../../../foundation/database/database.ts'
import { stepsPerDegree } from '../../../foundation/database/database.ts'
import type { BoundCentre, BoundEdge, PlaceCondition } from './condition.ts'
import { fullTurn, halfStep } from './place.ts'

/** A point in SQL: latitude and longitude in steps, as doubles. */
interface PlaceSql {
  readonly lat: SQL
  readonly lng: SQL
}

const half = sql.raw(String(halfStep))
const whole = sql.raw(String(2 * halfStep))
const turn = sql.raw(`${fullTurn}.0`)
const steps = sql.raw(`${stepsPerDegree}.0`)

/** Whether a point, in a column or inside its JSON document, is in an area; unknown (SQL null) if the entry has no point. */
export function placeSql({ area, at }: PlaceCondition, column: SQL, dialect: Dialect): SQL {
  const integer = (slot: string) => dialect.placeholder(slot, 'bigint')
  const { lat, lng } = at === undefined ? placeIn(column, dialect) : placeInJson(column, at, dialect)
  const { range, south, north, longitudes, circle, edges } = area
  const [from, to, secondFrom, secondTo] = longitudes.map(integer)
  const parts = [
    // The only part that an index helps with.
    ...(at === undefined ? [sql`${column} between ${integer(range[0])} and ${integer(range[1])}`] : []),
    sql`${lat} between ${integer(south)} and ${integer(north)}`,
    sql`(${lng} between ${from} and ${to} or ${lng} between ${secondFrom} and ${secondTo})`,
  ]
  if (circle !== undefined) {
    const limit = double(circle.haversine, dialect)
    parts.push(sql`${haversineSql(circle.centre, { lat, lng }, dialect)} <= ${limit}`)
  }
  if (edges !== undefined) {
    const east = sql`(${lng} - ${from} + case when ${lng} < ${from} then ${turn} when ${lng} - ${from} >= ${turn} then -${turn} else 0 end)`
    parts.push(sql`${crossingsSql(edges, { lat, lng: east }, dialect)} % 2 = 1`)
  }
  return sql`(${sql.join(parts, sql` and `)})`
}

/** An expression that grows with the distance of the point in a column from a centre; null if the entry has no point. */
export function distanceSql(centre: BoundCentre, column: SQL, dialect: Dialect): SQL {
  return haversineSql(centre, placeIn(column, dialect), dialect)
}

function placeIn(column: SQL, dialect: Dialect): PlaceSql {
  return { lat: dialect.latitude(column), lng: dialect.longitude(column) }
}

function placeInJson(document: SQL, at: NonNullable<PlaceCondition['at']>, { json }: Dialect): PlaceSql {
  const inSteps = (path: string) => sql`round(${json.value(document, path, 'double')} * ${steps})`
  return { lat: inSteps(at.lat), lng: inSteps(at.lng) }
}

function haversineSql(centre: BoundCentre, { lat, lng }: PlaceSql, dialect: Dialect): SQL {
  const [centreLat, centreLng, cosine] = [centre.lat, centre.lng, centre.cosine].map((slot) =>
    double(slot, dialect),
  )
  return sql`(power(sin((${lat} - ${centreLat}) * ${half}), 2) + ${cosine} * cos(${lat} * ${whole}) * power(sin((${lng} - ${centreLng}) * ${half}), 2))`
}

/** The number of edges to the east of a point. */
function crossingsSql(edges: readonly BoundEdge[], { lat, lng }: PlaceSql, dialect: Dialect): SQL {
  const crossings = edges.map((edge) => {
    const [south, north, longitude, slope] = [edge.south, edge.north, edge.longitude, edge.slope].map(
      (slot) => double(slot, dialect),
    )
    return sql`case when ${lat} >= ${south} and ${lat} < ${north} and ${lng} < ${longitude} + (${lat} - ${south}) * ${slope} then 1 else 0 end`
  })
  return sql`(${sql.join(crossings, sql` + `)})`
}

/** Columns have no kind for doubles, so they are bound as texts. */
function double(slot: string, dialect: Dialect): SQL {
  return dialect.json.double(dialect.placeholder(slot, 'string'))
}
