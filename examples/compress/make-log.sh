# Makes sample.log: 12,000 lines that look like a server's, the same on every machine.
set -e
awk 'BEGIN {
  split("connected disconnected accepted refused retried finished cancelled failed", verb, " ")
  split("session request upload download query backup", noun, " ")
  seed = 1
  for (line = 0; line < 12000; line++) {
    seed = (seed * 69069 + 1) % 4294967296; a = int(seed / 65536)
    seed = (seed * 69069 + 1) % 4294967296; b = int(seed / 65536)
    time += a % 90
    printf "2024-03-%02d %02d:%02d:%02d host%02d %s %s id=%05d bytes=%d\n",
      1 + int(time / 86400), int(time / 3600) % 24, int(time / 60) % 60, time % 60,
      b % 12, noun[1 + a % 6], verb[1 + int(b / 7) % 8], b, a * (b % 100)
  }
}' > sample.log.$$
# All at once: another measurement may be waiting for it.
mv sample.log.$$ sample.log
