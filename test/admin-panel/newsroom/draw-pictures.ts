import sharp from 'sharp'

const width = 960
const height = 640

/** Sky from top to horizon, the sun, water or land in front, and what stands in the scene. */
interface Scene {
  readonly sky: readonly [string, string]
  readonly sun: { readonly x: number; readonly y: number; readonly r: number; readonly colour: string }
  readonly layers: readonly string[]
  readonly things?: string
}

const boat = (x: number, y: number, size: number, hull: string, sail = '#fff7e8') => `
  <g transform="translate(${x} ${y}) scale(${size})">
    <path d="M-60 0h120l-22 30h-76z" fill="${hull}"/><path d="M-4 -8V-120L-58 -8z" fill="${sail}"/>
    <path d="M6 -8V-96L50 -8z" fill="${sail}" opacity=".8"/><path d="M-1 0V-126h4V0z" fill="${hull}"/>
  </g>`

const lighthouse = (x: number, y: number, size: number) => `
  <g transform="translate(${x} ${y}) scale(${size})">
    <path d="M-34 0L-22 -210h44L34 0z" fill="#f6efe2"/>
    <path d="M-31 -52h62l-4 -52h-54zM-25 -156h50l-3 -54h-44z" fill="#b8402f"/>
    <path d="M-18 -252h36v42h-36z" fill="#ffdf8a"/><path d="M-26 -252L0 -282l26 30z" fill="#3b2b33"/>
    <path d="M18 -232L420 -300v110z" fill="#fff3c4" opacity=".35"/>
  </g>`

const houses = (y: number, colours: readonly string[], tall: number) =>
  colours
    .map((colour, index) => {
      const [x, top] = [index * 120, y - tall - ((index * 53) % 70)]
      const panes = [0, 1, 2, 3]
        .map(
          (pane) =>
            `<path d="M${x + 22 + (pane % 2) * 46} ${top + 34 + Math.floor(pane / 2) * 56}h26v32h-26z" fill="#ffe9b8"/>`,
        )
        .join('')
      return `<path d="M${x} ${y}V${top}l60 -44 60 44V${y}z" fill="${colour}"/>${panes}`
    })
    .join('')

const crane = (x: number, y: number, colour: string) => `
  <g transform="translate(${x} ${y})" stroke="${colour}" stroke-width="14" fill="none">
    <path d="M-60 0L-30 -190L60 -190L90 0M-45 -95H75"/><path d="M15 -190V-330L300 -420M15 -330L-90 -290V-240"/>
    <path d="M262 -408V-250" stroke-width="5"/><path d="M236 -250h52v40h-52z" fill="${colour}"/>
  </g>`

const waves = (y: number, colour: string, swing = 14) =>
  `<path d="M0 ${y}${Array.from({ length: 12 }, () => `q40 ${-swing} 80 0`).join('')}V${height}H0z" fill="${colour}"/>`

const hill = (y: number, colour: string, lean: number) =>
  `<path d="M0 ${y + lean}C${width * 0.25} ${y - 90} ${width * 0.45} ${y + 80} ${width * 0.62} ${y}S${width * 0.9} ${y - 60 - lean} ${width} ${y}V${height}H0z" fill="${colour}"/>`

const scenes: Readonly<Record<string, Scene>> = {
  'night-ferry.jpg': {
    sky: ['#1a2350', '#d8738b'],
    sun: { x: 700, y: 330, r: 56, colour: '#ffd9a8' },
    layers: [hill(400, '#3a2f5e', 20), waves(430, '#2c3f73'), waves(500, '#22325f'), waves(570, '#18244a')],
    things: `<path d="M190 430h420l-46 64H236z" fill="#f4f1ea"/><path d="M260 376h280v54H260z" fill="#fff"/>
      <path d="M330 330h150v46H330z" fill="#e8e3d8"/><path d="M440 276h44v54h-44z" fill="#b8402f"/>
      ${Array.from({ length: 9 }, (_, index) => `<path d="M${276 + index * 29} 392h16v16h-16z" fill="#ffd98a"/>`).join('')}`,
  },
  'quay-tram.jpg': {
    sky: ['#bfe0ee', '#fdf3df'],
    sun: { x: 170, y: 130, r: 48, colour: '#fff3c4' },
    layers: [
      houses(
        470,
        ['#c96f4a', '#e0b35a', '#5f8f8b', '#a8566b', '#d98d5f', '#6f86b5', '#c9a24a', '#8d6a8f'],
        170,
      ),
    ],
    things: `<path d="M0 470h960v170H0z" fill="#8f8a83"/><path d="M0 560h960v10H0zM0 600h960v10H0z" fill="#5f5b57"/>
      <rect x="230" y="404" width="500" height="152" rx="26" fill="#1f6f6b"/><path d="M262 430h436v62H262z" fill="#d7f0f4"/>
      ${[0, 1, 2, 3].map((index) => `<path d="M${366 + index * 106} 430h12v62h-12z" fill="#1f6f6b"/>`).join('')}
      <circle cx="330" cy="562" r="20" fill="#33302d"/><circle cx="630" cy="562" r="20" fill="#33302d"/>`,
  },
  'net-maker.jpg': {
    sky: ['#f3dcc0', '#e9b98a'],
    sun: { x: 480, y: 250, r: 190, colour: '#f7ead2' },
    layers: [waves(520, '#7c4f36', 4)],
    things: `<g stroke="#3f5f66" stroke-width="4" fill="none">${Array.from({ length: 15 }, (_, index) => `<path d="M${index * 70} 0C${index * 70 + 60} 220 ${index * 70 - 40} 360 ${index * 70 + 30} 560"/><path d="M${index * 70} 560C${index * 70 - 80} 340 ${index * 70 + 60} 240 ${index * 70 - 20} 0"/>`).join('')}</g>
      <circle cx="240" cy="470" r="34" fill="#d9622b"/><circle cx="330" cy="500" r="28" fill="#e8a33a"/><circle cx="700" cy="486" r="32" fill="#d9622b"/>`,
  },
  'storm-gates.jpg': {
    sky: ['#3d4a57', '#9aa7ad'],
    sun: { x: 760, y: 150, r: 46, colour: '#dfe5e3' },
    layers: [waves(330, '#5f7480', 40), waves(420, '#4a5f6c', 46), waves(520, '#384c59', 50)],
    things: `${[0, 1, 2].map((index) => `<path d="M${90 + index * 300} 150h70v380h-70z" fill="#d7d2c6"/><path d="M${160 + index * 300} 250h230v170H${160 + index * 300}z" fill="#b35a2f"/>`).join('')}`,
  },
  'lamp-room.jpg': {
    sky: ['#22305c', '#f0a875'],
    sun: { x: 250, y: 400, r: 60, colour: '#ffe0b0' },
    layers: [waves(440, '#3b5379'), waves(510, '#2c4166'), hill(560, '#1f2c44', 40)],
    things: lighthouse(640, 560, 1.5),
  },
  'strait-race.jpg': {
    sky: ['#7cc4e8', '#e9f6f5'],
    sun: { x: 780, y: 120, r: 52, colour: '#fffbe0' },
    layers: [hill(300, '#7fae84', 30), waves(350, '#3f9bb8'), waves(450, '#2c83a3'), waves(560, '#1f6c8c')],
    things:
      boat(220, 420, 1, '#7a2e2a') +
      boat(520, 380, 0.7, '#2a4a6b', '#ffe2cf') +
      boat(740, 500, 1.35, '#3f3a36'),
  },
  'herring.jpg': {
    sky: ['#d7e6e6', '#f5efe0'],
    sun: { x: 480, y: 300, r: 230, colour: '#f7f3e6' },
    layers: [],
    things: [0, 1, 2, 3, 4]
      .map(
        (
          index,
        ) => `<g transform="translate(${130 + (index % 2) * 90} ${110 + index * 105}) rotate(${index % 2 ? -6 : 5})">
        <path d="M0 0C120 -70 360 -70 520 0C360 70 120 70 0 0z" fill="${['#5f8799', '#7b9fae', '#4d7486', '#6b93a4', '#83a8b5'][index]}"/>
        <path d="M500 0l110 -56v112z" fill="#4d7486"/><circle cx="80" cy="-8" r="11" fill="#1d2a33"/></g>`,
      )
      .join(''),
  },
  'old-crane.jpg': {
    sky: ['#ffcf9e', '#ffe9cf'],
    sun: { x: 300, y: 240, r: 74, colour: '#fff4dc' },
    layers: [waves(500, '#4f7f93'), waves(560, '#3b6a80')],
    things: crane(420, 500, '#2456a6') + boat(800, 520, 0.8, '#5a3b2f'),
  },
  'seals.jpg': {
    sky: ['#a9d3de', '#eef4ea'],
    sun: { x: 200, y: 140, r: 50, colour: '#fffbe6' },
    layers: [waves(330, '#6faab8'), waves(430, '#4f8e9f')],
    things: `<path d="M120 520C260 440 520 430 860 500V640H120z" fill="#6b6259"/>
      ${[
        [300, 470, 1],
        [500, 450, 0.8],
        [680, 474, 1.1],
      ]
        .map(
          ([x, y, size]) =>
            `<g transform="translate(${x} ${y}) scale(${size})"><path d="M-90 20C-70 -30 20 -40 60 -70C90 -84 100 -56 88 -34C70 0 30 24 -90 20z" fill="#3f434a"/><circle cx="78" cy="-62" r="5" fill="#fff"/></g>`,
        )
        .join('')}`,
  },
  'pier-jazz.jpg': {
    sky: ['#2b1f47', '#b0477a'],
    sun: { x: 480, y: 260, r: 120, colour: '#f7b267' },
    layers: [waves(430, '#4a2b5e'), waves(520, '#38214d')],
    things: `<path d="M0 400h960v24H0z" fill="#1c1430"/>${[80, 260, 440, 620, 800].map((x) => `<path d="M${x} 424h20v216h-20z" fill="#1c1430"/>`).join('')}
      ${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => `<circle cx="${60 + index * 95}" cy="${150 + ((index * 37) % 40)}" r="9" fill="#ffe9a8"/>`).join('')}
      ${[300, 430, 560, 680].map((x, index) => `<path d="M${x} 400V${318 - index * 6}q18 -30 36 0V400z" fill="#0f0a1c"/><circle cx="${x + 18}" cy="${288 - index * 6}" r="17" fill="#0f0a1c"/>`).join('')}`,
  },
}

const portraits = {
  'mara-lindqvist.jpg': ['#f0c9a0', '#1f6f6b', '#7a3b2a'],
  'tomas-okafor.jpg': ['#8a5a3c', '#c96f4a', '#1d1a19'],
  'ines-duarte.jpg': ['#d9a679', '#6f4a8f', '#2c1d1a'],
  'jonas-petersen.jpg': ['#f3d3b3', '#2456a6', '#c9a24a'],
} as const

/** Pictures of a port town by file name, so that no test has to carry photographs. */
export async function drawPictures(): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> {
  const drawings = [
    ...Object.entries(scenes).map(([name, scene]) => [name, drawScene(scene)] as const),
    ...Object.entries(portraits).map(([name, colours]) => [name, drawPortrait(colours)] as const),
  ]
  const pictures = await Promise.all(
    drawings.map(async ([name, svg]) => {
      const bytes = await sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer()
      return [name, new Uint8Array(bytes)] as const
    }),
  )
  return new Map(pictures)
}

const svg = (w: number, h: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">${content}</svg>`

const gradient = ([from, to]: readonly [string, string]) => `
  <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
    <stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/>
  </linearGradient></defs><rect width="100%" height="100%" fill="url(#sky)"/>`

function drawScene({ sky, sun, layers, things = '' }: Scene): string {
  const [far = '', ...near] = layers
  const disc = `<circle cx="${sun.x}" cy="${sun.y}" r="${sun.r}" fill="${sun.colour}"/>`
  return svg(width, height, gradient(sky) + disc + far + things + near.join(''))
}

function drawPortrait([skin, coat, hair]: readonly [string, string, string]): string {
  return svg(
    480,
    480,
    `${gradient(['#e9eef0', '#cfd9dc'])}
    <path d="M60 480c10 -130 80 -170 180 -170s170 40 180 170z" fill="${coat}"/>
    <path d="M200 270h80v70q-40 30 -80 0z" fill="${skin}"/><ellipse cx="240" cy="210" rx="86" ry="104" fill="${skin}"/>
    <path d="M146 214c-12 -150 200 -160 190 0c-20 -60 -60 -84 -96 -84s-76 24 -94 84z" fill="${hair}"/>`,
  )
}
