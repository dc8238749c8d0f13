import { catalogue } from './catalogue.ts'
import { navigation } from './navigation.ts'
import { picking } from './picking.ts'

export const pace = catalogue({
  title: navigation.stock,
  product: picking.product,
  runway: ['Stock', 'Lager', 'Existencias'],
  lately: ['Last 28 days', 'Letzte 28 Tage', 'Últimos 28 días'],
  until: ['until about {when}', 'bis etwa {when}', 'hasta {when} aprox.'],
  about: ['about {when}', 'etwa {when}', '{when} aprox.'],
  gone: ['sold out', 'ausverkauft', 'agotado'],
  byContents: ['As its contents', 'Wie sein Inhalt', 'Según su contenido'],
  last: ['Stock runs out', 'Reicht bis', 'Se agota'],
  out: ['Sold out', 'Ausverkauft', 'Agotado'],
  runsOut: ['Runs out first', 'Zuerst ausverkauft', 'Se agota antes'],
  pools: ['Key pools', 'Key-Bestände', 'Reservas de claves'],
  runsOutLead: [
    'Active products, sorted by the time when their stock runs out at the pace of the last 28 days. Products whose stock lasts longer than a year are not listed.',
    'Die aktiven Produkte, die sich verkaufen, nach der Zeit, zu der beim Tempo der letzten 28 Tage ihr letztes Stück geht. Produkte, die länger als ein Jahr reichen, stehen nicht hier.',
    'Los productos activos que se venden, según cuándo se va su última unidad al ritmo de los últimos 28 días. No figuran los que duran más de un año.',
  ],
  noneRunsOut: [
    'No product runs out within a year at the pace of the last 28 days.',
    'Beim Tempo der letzten 28 Tage ist binnen eines Jahres kein Produkt ausverkauft.',
    'Al ritmo de los últimos 28 días ningún producto se agota en un año.',
  ],
  restock: ['Add stock', 'Lager auffüllen', 'Reponer'],
  waiting: ['Waiting buyers', 'Wartende Käufer', 'Compradores en espera'],
  restockNamed: ['Add stock of {name}', 'Lager auffüllen: {name}', 'Reponer {name}'],
  waitingNamed: [
    'Waiting buyers: {name}',
    'Wartende Käufer: {name}',
    'Compradores en espera: {name}',
  ],
  poolsLead: [
    'A pool has the keys of a variant. Open it to import, hold back, burn or export keys, and to see which order got which key.',
    'Ein Bestand hat die Keys einer Variante. Öffnen Sie ihn, um Keys zu importieren, zurückzuhalten, zu entwerten oder zu exportieren und zu sehen, welche Bestellung welchen Key bekam.',
    'Una reserva tiene las claves de una variante. Ábrala para importar, retener, quemar o exportar claves y ver qué pedido recibió cada una.',
  ],
  pool: ['Pools: keys for sale', 'Bestände: verkäufliche Keys', 'Reservas: claves a la venta'],
  noPools: [
    'No product delivers keys. A product of the delivery kind “Keys” has a pool for each variant.',
    'Kein Produkt liefert Keys. Ein Produkt der Lieferart „Seriell“ hat für jede Variante einen Bestand.',
    'Ningún producto entrega claves. Un producto de entrega «Serie» tiene una reserva por variante.',
  ],
  lowAt: ['low', 'niedrig', 'bajo'],
  perDay: ['Units a day', 'Stück am Tag', 'Unidades al día'],
  day: ['Day (UTC)', 'Tag (UTC)', 'Día (UTC)'],
})
