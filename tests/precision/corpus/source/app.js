// https://docs.example.org/app
/* @see https://docs.example.org/app.*/
const a = 'https://api.example.org/a';
const b = `https://${host}:${port}/x y`;
const c = "https:\/\/api.example.org\/c";
const d = /^https?:\/\/[^/]+\/x$/i;
const e = 'https://api.example.org/?a[]=1';
const f = "https://api.example.org/caf\xe9";
const g = 'https://' + host + '/g';
const h = 'https://fonts.example.org/css?family=A|B';
const i = location.protocol + '://' + location.host;
const j = 'https://api.example.org/users/:id';
const k = '<a href="https://api.example.org/k">x</a>';
const l = 'https://tile.example.org/{z}/{x}/{y}.png';
fetch(`https://api.example.org/${id}/a^b`);
