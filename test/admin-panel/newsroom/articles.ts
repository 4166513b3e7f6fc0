/** An article of the sample newspaper; names stand for what they refer to. */
export interface SampleArticle {
  readonly title: string
  readonly standfirst: string
  readonly section: 'Town' | 'Economy' | 'Culture' | 'Sport' | 'Nature'
  readonly author: 'Mara Lindqvist' | 'Tomas Okafor' | 'Ines Duarte' | 'Jonas Petersen'
  readonly cover?: string
  /** How far it is; without it, it is a draft. */
  readonly state?: 'published' | 'scheduled'
  /** Its headline in German, for those that are translated. */
  readonly german?: string
}

/** The first one is what most pictures show. */
export const articles: readonly SampleArticle[] = [
  {
    title: 'The night ferry sails again after eleven years',
    standfirst: 'From Friday, the Aurora leaves the east quay at 22:40 and arrives with the first tram.',
    section: 'Town',
    author: 'Mara Lindqvist',
    cover: 'night-ferry.jpg',
    state: 'published',
    german: 'Nach elf Jahren fährt die Nachtfähre wieder',
  },
  {
    title: 'Council votes for a tram along the quay',
    standfirst: 'The line will join the station and the fish market; the first cars are to run in 2029.',
    section: 'Town',
    author: 'Tomas Okafor',
    cover: 'quay-tram.jpg',
    state: 'published',
    german: 'Der Rat stimmt für eine Straßenbahn am Kai',
  },
  {
    title: 'The last net maker of Fisher Street',
    standfirst: 'Edda Holm is eighty-one and takes apprentices. Three have signed up, one of them a surgeon.',
    section: 'Culture',
    author: 'Ines Duarte',
    cover: 'net-maker.jpg',
    state: 'published',
  },
  {
    title: 'What the new storm gates held back',
    standfirst: 'The water rose to 3.12 metres on Tuesday night. In the old town, cellars stayed dry.',
    section: 'Nature',
    author: 'Mara Lindqvist',
    cover: 'storm-gates.jpg',
    state: 'published',
    german: 'Was die neuen Sturmtore abgehalten haben',
  },
  {
    title: 'Herring costs more than it has in ten years',
    standfirst: 'Boats stay in port, and the smokehouse on Pier Road cuts its hours.',
    section: 'Economy',
    author: 'Tomas Okafor',
    cover: 'herring.jpg',
  },
  {
    title: 'A lighthouse opens its lamp room to visitors',
    standfirst:
      'A hundred and sixty-two steps, eight people at a time, and a lens that two keepers carried up.',
    section: 'Culture',
    author: 'Ines Duarte',
    cover: 'lamp-room.jpg',
    state: 'scheduled',
  },
  {
    title: 'Rowing club wins the strait race by a boat’s length',
    standfirst: 'With the tide against them, the four chose the longer way around the skerry.',
    section: 'Sport',
    author: 'Jonas Petersen',
    cover: 'strait-race.jpg',
    state: 'published',
  },
  {
    title: 'Why the old crane will be painted blue',
    standfirst:
      'It was grey for ninety years. A letter found in the attic of the harbour office changes that.',
    section: 'Culture',
    author: 'Ines Duarte',
    cover: 'old-crane.jpg',
  },
  {
    title: 'Seals come back to the inner harbour',
    standfirst: 'Nineteen were counted on one morning. Please keep dogs on the lead along the mole.',
    section: 'Nature',
    author: 'Mara Lindqvist',
    cover: 'seals.jpg',
    state: 'published',
    german: 'Die Seehunde sind zurück im Innenhafen',
  },
  {
    title: 'Jazz on the pier: who plays when',
    standfirst: 'Four nights, eleven bands, and a brass quintet on the first boat home.',
    section: 'Culture',
    author: 'Ines Duarte',
    cover: 'pier-jazz.jpg',
    state: 'scheduled',
  },
  {
    title: 'Bakers and mill agree on a price for flour',
    standfirst: 'The talks took nineteen days. Rye bread stays below four crowns.',
    section: 'Economy',
    author: 'Tomas Okafor',
    state: 'published',
  },
  {
    title: 'The library stays open on Sundays',
    standfirst: 'A trial of six months, carried by volunteers from both grammar schools.',
    section: 'Town',
    author: 'Tomas Okafor',
  },
  {
    title: 'Winter swimmers get a warm room',
    standfirst: 'The old customs shed has a stove now, and a key that hangs at the kiosk.',
    section: 'Sport',
    author: 'Jonas Petersen',
  },
  {
    title: 'School kitchens buy from local boats',
    standfirst: 'Two hundred kilograms of cod a week, and a cook who teaches filleting.',
    section: 'Economy',
    author: 'Mara Lindqvist',
    state: 'published',
  },
]

const body = `<p>When the <strong>Aurora</strong> casts off on Friday, it will be the first time since the autumn of 2015 that a
passenger ship leaves the east quay after dark. The town has paid for new fenders, the railway for a later tram.</p>
<h2>Half the cabins are taken</h2>
<p>“We had hoped for a third,” says harbour master <em>Liv Sandberg</em>. Bookings opened on Monday at noon; by the evening
every cabin with a window was gone.</p>
<ul><li>Departure daily at 22:40, from April also at noon</li><li>Cabins from 48 crowns, a reclining seat 19</li></ul>
<p>The <a href="/timetable">timetable</a> is valid until the end of May.</p>`

/** What the first article has beside its headline. */
export const firstArticle = {
  body,
  blocks: [
    {
      __component: 'story.quote',
      text: 'We had hoped for a third of the cabins.',
      speaker: 'Liv Sandberg, harbour master',
    },
    {
      __component: 'story.facts',
      heading: 'The Aurora in figures',
      facts: '<ul><li>Built in 2009 in Turku</li><li>312 berths, 74 cars</li></ul>',
    },
  ],
}

/** What somebody has changed in it since it was published. */
export const changesOfFirstArticle = {
  title: 'The night ferry sails again on Friday',
  standfirst:
    'From Friday, the Aurora leaves the east quay at 22:40 and arrives with the first tram at 6:12.',
  body: body.replace('Half the cabins are taken', 'Most cabins are taken'),
}
