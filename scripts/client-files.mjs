// Splits the printed client into files: one for each area, and one for the shapes that several areas use.

/** @typedef {{ name: string, about: string[], lines: string[], answers: string[] }} Area an area with the lines of its methods, and the types of their answers */
/** @typedef {Map<string, string[]>} Shapes the lines of each shape, keyed by name */

/** The limit of lines in a file, less its header and imports. */
const LINES_MAX = 400 - 10
const SHARED = 'shared'
/** The types of the client that are not printed, by their file. */
const MANUAL_TYPES = {
  'call.ts': ['Call'],
  'list.ts': ['List'],
  'transport.ts': ['CallOptions', 'PostOptions', 'VersionOptions'],
}

/**
 * The names of the printed client of one API.
 *
 * @typedef {object} Api
 * @property {string} title such as `the Store API`
 * @property {string} client the interface of the client
 * @property {string} about its description
 * @property {string} shared the path from a printed file to `sdk/client/`
 */

/** @param {Api} api */
export const headerOf = ({ title }) =>
  `// Written by \`npm run sdk:types\` from the endpoints of ${title}. Do not edit.`

/** Returns the number of lines. An element may contain several. @param {string[]} lines */
const heightOf = (lines) => lines.join('\n').split('\n').length

/** @param {string} name */
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
/** @param {string} name */
const interfaceOf = (name) => `${name[0]?.toUpperCase()}${name.slice(1)}Api`

/**
 * @param {Area[]} areas
 * @param {Shapes} shapes
 * @param {Api} api
 * @returns {Map<string, string>} texts by the name of their file
 */
export function splitIntoFiles(areas, shapes, api) {
  const uses = usesIn(shapes)
  const fileOfShape = fileOfShapes(areas, shapes, uses)
  const files = new Map(
    [...areas.map(({ name }) => name), SHARED].map((name) => [name, linesOfFile(name)]),
  )

  /** @param {string} file */
  function linesOfFile(file) {
    const area = areas.find(({ name }) => name === file)
    const inFile = [...shapes].filter(([name]) => fileOfShape.get(name) === file)
    return [...(area ? apiOf(area) : []), ...inFile.flatMap(([, lines]) => lines)]
  }

  /** Moves those of the shapes that are in the file `from` to the file `to`. @param {string} from @param {string} to @param {Iterable<string>} names */
  function move(from, to, names) {
    for (const shape of names) if (fileOfShape.get(shape) === from) fileOfShape.set(shape, to)
    files.set(from, linesOfFile(from)).set(to, linesOfFile(to))
  }
  /** @param {string} name */
  const isLong = (name) => heightOf(files.get(name) ?? []) > LINES_MAX

  for (const { name, answers } of areas) {
    if (isLong(name)) move(name, `${name}Records`, withContained(uses(answers), shapes, uses))
    // The remaining shapes are those that only requests have.
    if (isLong(name)) move(name, `${name}Requests`, [...fileOfShape.keys()])
  }
  while (isLong(SHARED)) {
    const records = moveRecords(areas, shapes, fileOfShape)
    files.set(SHARED, linesOfFile(SHARED)).set(records, linesOfFile(records))
  }
  for (const { name } of areas) {
    const contained = [...shapes].flatMap(([shape, lines]) =>
      fileOfShape.get(shape) === `${name}Records`
        ? uses(lines).filter((used) => used !== shape)
        : [],
    )
    if (isLong(`${name}Records`)) move(`${name}Records`, `${name}Parts`, contained)
  }
  const printed = [...files].filter(([, lines]) => lines.length > 0)
  return new Map([
    ...printed.map(
      ([name, lines]) =>
        /** @type {const} */ ([`${kebab(name)}.gen.ts`, fileOf(name, lines, { fileOfShape, api })]),
    ),
    [
      'client.gen.ts',
      clientOf(
        areas,
        printed.map(([name]) => name),
        api,
      ),
    ],
  ])
}

/**
 * Moves shapes out of the shared file. Each shape belongs to the first area that answers it. The shapes of the area
 * with the most lines are moved to the file of its records, whose name is returned.
 * @param {Area[]} areas @param {Shapes} shapes @param {Map<string, string>} fileOfShape
 */
function moveRecords(areas, shapes, fileOfShape) {
  const uses = usesIn(shapes)
  const unassigned = new Set(
    [...fileOfShape.keys()].filter((shape) => fileOfShape.get(shape) === SHARED),
  )
  const groups = areas.map(({ name, answers }) => {
    const names = [...withContained(uses(answers), shapes, uses)].filter((shape) =>
      unassigned.delete(shape),
    )
    const height = heightOf(names.flatMap((shape) => shapes.get(shape) ?? []))
    return { records: `${name}Records`, names, height }
  })
  const [largest] = groups
    .filter(({ names }) => names.length > 0)
    .sort((group, other) => other.height - group.height)
  if (!largest) throw new Error(`${SHARED}.gen.ts is too long, and no area answers its shapes.`)
  for (const shape of largest.names) fileOfShape.set(shape, largest.records)
  return largest.records
}

/** @param {Area} area */
const apiOf = ({ name, about, lines }) => [
  ...about,
  `export interface ${interfaceOf(name)} {`,
  ...lines,
  '}',
  '',
]

/** Returns a function that finds the shapes in code, without its comments. @param {Shapes} shapes */
const usesIn = (shapes) => (/** @type {readonly string[]} */ lines) => {
  const code = lines.join('\n').replace(/\/\*\*[\s\S]*?\*\//g, '')
  return [...new Set(code.match(/\b[A-Z]\w+/g))].filter((name) => shapes.has(name))
}

/** Returns these shapes and the shapes that they contain. @param {string[]} names @param {Shapes} shapes @param {ReturnType<typeof usesIn>} uses */
function withContained(names, shapes, uses) {
  const all = new Set(names)
  // A Set is iterated in the sequence of insertion, including elements that the loop adds.
  for (const name of all) for (const used of uses(shapes.get(name) ?? [])) all.add(used)
  return all
}

/** Returns the file of each shape: its area, or the shared file if several areas use it. @param {Area[]} areas @param {Shapes} shapes @param {ReturnType<typeof usesIn>} uses */
function fileOfShapes(areas, shapes, uses) {
  /** @type {Map<string, string>} */
  const fileOfShape = new Map()
  for (const { name, lines } of areas) {
    for (const shape of withContained(uses(lines), shapes, uses)) {
      fileOfShape.set(shape, fileOfShape.has(shape) ? SHARED : name)
    }
  }
  return fileOfShape
}

/** @param {string} file @param {string[]} lines @param {{ fileOfShape: Map<string, string>, api: Api }} context */
function fileOf(file, lines, { fileOfShape, api }) {
  const code = lines.join('\n')
  const uses = usesIn(
    new Map(
      [...fileOfShape.keys(), ...Object.values(MANUAL_TYPES).flat()].map((name) => [name, []]),
    ),
  )
  const used = uses(lines)
  const others = [...new Set(fileOfShape.values())].filter((other) => other !== file)
  const imports = [
    ...others.map((other) => ({
      from: `./${kebab(other)}.gen.ts`,
      names: used.filter((name) => fileOfShape.get(name) === other),
    })),
    ...Object.entries(MANUAL_TYPES).map(([module, names]) => ({
      from: api.shared + module,
      names: used.filter((name) => names.includes(name)),
    })),
  ]
  return [
    headerOf(api),
    ...imports
      .filter(({ names }) => names.length > 0)
      .sort((item, other) => (item.from < other.from ? -1 : 1))
      .map(({ names, from }) => `import type { ${names.sort().join(', ')} } from '${from}'`),
    '',
    code,
  ].join('\n')
}

/** @param {Area[]} areas @param {string[]} files @param {Api} api */
const clientOf = (areas, files, api) =>
  [
    headerOf(api),
    ...areas.map(
      ({ name }) => `import type { ${interfaceOf(name)} } from './${kebab(name)}.gen.ts'`,
    ),
    '',
    ...files.map((name) => `export type * from './${kebab(name)}.gen.ts'`),
    '',
    `/** ${api.about} */`,
    `export interface ${api.client} {`,
    ...areas.flatMap(({ name, about }) => [
      ...about.map((line) => `  ${line}`),
      `  ${name}: ${interfaceOf(name)}`,
    ]),
    '}',
    '',
  ].join('\n')
