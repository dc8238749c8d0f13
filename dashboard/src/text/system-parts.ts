import { catalogue } from './catalogue.ts'

/** The parts of the installation. */
export const partNames = catalogue({
  database: ['Database', 'Datenbank', 'Base de datos'],
  disk: ['Disk', 'Festplatte', 'Disco'],
  clock: ['Clock', 'Uhr', 'Reloj'],
  storage: ['Uploaded files', 'Hochgeladene Dateien', 'Archivos subidos'],
  mail: ['Mail server', 'Mailserver', 'Servidor de correo'],
  certificate: ['Certificate', 'Zertifikat', 'Certificado'],
  backup: ['Backup', 'Sicherung', 'Copia de seguridad'],
  queue: ['Webhook queue', 'Webhook-Warteschlange', 'Cola de webhooks'],
  receivers: ['Webhook endpoints', 'Webhook-Endpunkte', 'Endpoints de webhooks'],
  data: ['Rules of the data', 'Regeln der Daten', 'Reglas de los datos'],
})

/** The finding about a part if nothing is wrong. */
export const partsInOrder = catalogue({
  database: ['It answers.', 'Sie antwortet.', 'Responde.'],
  disk: ['{free} free.', '{free} frei.', '{free} libres.'],
  clock: [
    'It agrees with the clock of the database.',
    'Sie stimmt mit der Uhr der Datenbank überein.',
    'Coincide con el reloj de la base de datos.',
  ],
  storage: ['The storage answers.', 'Der Speicher antwortet.', 'El almacenamiento responde.'],
  mail: [
    'It answers. {waiting:mail waits|mails wait}: {waiting}.',
    'Er antwortet. Wartende Mails: {waiting}.',
    'Responde. Correos en espera: {waiting}.',
  ],
  certificate: [
    'Valid for {days} more {days:day|days}.',
    'Noch {days} {days:Tag|Tage} gültig.',
    'Válido {days} {days:día|días} más.',
  ],
  backup: [
    'The newest is {days} {days:day|days} old.',
    'Die neueste ist {days} {days:Tag|Tage} alt.',
    'La más reciente tiene {days} {days:día|días}.',
  ],
  queue: ['Nothing is late.', 'Nichts ist verspätet.', 'Nada va con retraso.'],
  receivers: [
    '{enabled} {enabled:endpoint is on|endpoints are on}, and none fails.',
    '{enabled} {enabled:Endpunkt ist|Endpunkte sind} an, und keiner scheitert.',
    '{enabled} {enabled:endpoint activo|endpoints activos}, y ninguno falla.',
  ],
})

/** The meaning of a part that is not set up. */
export const partsOff = catalogue({
  mail: [
    'Not set up, so nobody gets mail.',
    'Nicht eingerichtet, daher bekommt niemand Mails.',
    'Sin configurar: nadie recibe correo.',
  ],
  certificate: [
    'The public address begins with http, so browsers send nothing encrypted.',
    'Die öffentliche Adresse beginnt mit http, daher senden Browser nichts verschlüsselt.',
    'La dirección pública empieza por http: los navegadores no cifran nada.',
  ],
  receivers: [
    'This store has no endpoint that is on.',
    'Dieser Shop hat keinen Endpunkt, der an ist.',
    'Esta tienda no tiene ningún endpoint activo.',
  ],
})

/** The faults of parts. */
export const partProblems = catalogue({
  no_answer: ['It does not answer.', 'Keine Antwort.', 'No responde.'],
  disk_full: [
    'Only {free} free: nothing can be stored.',
    'Nur noch {free} frei: Nichts kann gespeichert werden.',
    'Solo {free} libres: no se puede guardar nada.',
  ],
  disk_low: ['Only {free} free.', 'Nur noch {free} frei.', 'Solo {free} libres.'],
  clock_differs: [
    'It differs from the clock of the database by {difference_s} s.',
    'Sie weicht von der Uhr der Datenbank um {difference_s} s ab.',
    'Difiere del reloj de la base de datos en {difference_s} s.',
  ],
  mail_waits: [
    'It answers, but the oldest of {waiting} waiting {waiting:mail is|mails is} late.',
    'Er antwortet, aber die älteste von {waiting} wartenden Mails ist verspätet.',
    'Responde, pero el más antiguo de {waiting} correos en espera va con retraso.',
  ],
  certificate_ended: [
    'It ended {days} {days:day|days} ago: browsers refuse the store.',
    'Es lief vor {days} {days:Tag|Tagen} ab: Browser lehnen den Shop ab.',
    'Caducó hace {days} {days:día|días}: los navegadores rechazan la tienda.',
  ],
  certificate_ends: [
    'It ends in {days} {days:day|days}.',
    'Es läuft in {days} {days:Tag|Tagen} ab.',
    'Caduca en {days} {days:día|días}.',
  ],
  no_backup: [
    '“tradepost backup” has made none yet.',
    '„tradepost backup“ hat noch keine angelegt.',
    '«tradepost backup» aún no ha creado ninguna.',
  ],
  backup_old: [
    'The newest is {days} {days:day|days} old.',
    'Die neueste ist {days} {days:Tag|Tage} alt.',
    'La más reciente tiene {days} {days:día|días}.',
  ],
  queue_late: [
    'The oldest webhook is {oldest_s} s late.',
    'Der älteste Webhook ist {oldest_s} s verspätet.',
    'El webhook más antiguo lleva {oldest_s} s de retraso.',
  ],
  receivers_fail: [
    'The last webhooks to {failing} of {enabled} {enabled:endpoint|endpoints} failed.',
    'Die letzten Webhooks an {failing} von {enabled} {enabled:Endpunkt|Endpunkten} scheiterten.',
    'Fallaron los últimos webhooks a {failing} de {enabled} {enabled:endpoint|endpoints}.',
  ],
  receivers_off: [
    '{off} {off:endpoint was|endpoints were} turned off because of failures.',
    '{off} {off:Endpunkt wurde|Endpunkte wurden} wegen Fehlern abgeschaltet.',
    '{off} {off:endpoint se desactivó|endpoints se desactivaron} por sus fallos.',
  ],
})

/** The remedies, by part or by problem. */
export const partCures = catalogue({
  database: [
    'Start the database server, and check DATABASE_URL.',
    'Den Datenbankserver starten und DATABASE_URL prüfen.',
    'Inicie el servidor de la base de datos y revise DATABASE_URL.',
  ],
  storage: [
    'Check the bucket and its keys, TRADEPOST_S3_….',
    'Den Bucket und seine Schlüssel prüfen, TRADEPOST_S3_….',
    'Revise el bucket y sus claves, TRADEPOST_S3_….',
  ],
  mail: [
    'Set TRADEPOST_SMTP_URL to a mail server that accepts its user and password.',
    'TRADEPOST_SMTP_URL auf einen Mailserver setzen, der Benutzer und Passwort annimmt.',
    'Ponga en TRADEPOST_SMTP_URL un servidor de correo que acepte usuario y contraseña.',
  ],
  certificate: [
    'Put a proxy with a certificate in front of Tradepost, and set TRADEPOST_PUBLIC_URL to its https address.',
    'Einen Proxy mit Zertifikat vor Tradepost stellen und TRADEPOST_PUBLIC_URL auf dessen https-Adresse setzen.',
    'Ponga delante un proxy con certificado y su dirección https en TRADEPOST_PUBLIC_URL.',
  ],
  disk: [
    'Free space on this disk, or move the data to a larger one.',
    'Platz schaffen oder die Daten auf eine größere Festplatte verschieben.',
    'Libere espacio o mueva los datos a un disco mayor.',
  ],
  clock: [
    'Turn on time synchronization (NTP) on both machines.',
    'Zeitabgleich (NTP) auf beiden Rechnern einschalten.',
    'Active la sincronización de hora (NTP) en ambas máquinas.',
  ],
  certificateEnds: [
    'Renew the certificate of the proxy, and look why it was not renewed.',
    'Das Zertifikat des Proxys erneuern und nachsehen, warum es nicht erneuert wurde.',
    'Renueve el certificado del proxy y mire por qué no se renovó.',
  ],
  backup: [
    'Make one with the command below, and repeat it every day.',
    'Eine mit dem Befehl unten anlegen und täglich wiederholen.',
    'Cree una con la orden de abajo y repítala cada día.',
  ],
  queue: [
    'Look whether a process that sends is running, and at its log.',
    'Nachsehen, ob ein sendender Prozess läuft, und in dessen Log.',
    'Mire si hay un proceso que envíe en marcha, y su registro.',
  ],
  receivers: ['Open the webhooks', 'Webhooks öffnen', 'Abrir los webhooks'],
})
