"""The words that a board is taught in its raw REPL, and the first question it is asked.

Owns the text that runs on the board; board.py speaks it. The outbox's flash is what firmware/boards leaves beside the
file system: on a Pico all of the storage behind it, on an ESP32 a partition of that name. The image is read where a
Pico's processor runs it.
"""

from typing import Final

# Short names: this text is sent again each time the two ends come in step.
# D digest, K folders, W a piece, N takes its name, T tree, X away, S say.
WORDS: Final = """\
import os,binascii,hashlib,json,sys
R=os.getcwd().rstrip('/')+'/'
def D(p):
 try:f=open(R+p,'rb')
 except OSError:return ''
 h=hashlib.sha256();b=bytearray(512)
 while True:
  n=f.readinto(b)
  if not n:break
  h.update(memoryview(b)[:n])
 f.close()
 return binascii.hexlify(h.digest()).decode()
def K(p):
 a=''
 for w in p.split('/')[:-1]:
  a+=w
  try:os.mkdir(R+a)
  except OSError:pass
  a+='/'
def W(p,o,x):
 if not o:K(p)
 f=open(R+p+'.part','r+b' if o else 'wb')
 x=binascii.unhexlify(x)
 f.seek(o);f.write(x);f.close()
 return binascii.crc32(x)&0xffffffff
def N(p,d):
 if D(p+'.part')!=d:return False
 try:os.rename(R+p+'.part',R+p)
 except OSError:
  os.remove(R+p);os.rename(R+p+'.part',R+p)
 return D(p)==d
def T(p):
 o=[]
 try:l=list(os.ilistdir(R+p))
 except OSError:return o
 for e in l:
  q=p+'/'+e[0] if p else e[0]
  if e[1]==0x4000:o+=T(q)
  else:o.append(q)
 return o
def X(p):
 try:os.remove(R+p)
 except OSError:pass
def S(v):
 t=json.dumps(v);print(t);print(binascii.hexlify(hashlib.sha256(t.encode()).digest()).decode()[:16])
"""
PROBE: Final = """\
try:
 import machine;u=binascii.hexlify(machine.unique_id()).decode()
except Exception:u=''
z=sys.path[:];sys.path[:]=['.frozen']
try:
 import sabot_firmware;f=True
except ImportError:f=False
sys.path[:]=z
i=sys.implementation
S([sys.platform,getattr(i,'_machine',''),getattr(i,'_mpy',0),u,f,'starting.py' in os.listdir(R),O().ioctl(4,0)])
"""
# I the SHA-256 of n bytes of the image, from the o-th on.
IMAGE_WORDS: Final = """\
def I(o,n):
 import uctypes
 return binascii.hexlify(hashlib.sha256(uctypes.bytearray_at(0x10000000+o,n)).digest()).decode()
"""
# O the outbox's flash, E empties n sectors of it from the o-th on.
OUTBOX_WORDS: Final = """\
class Q:
 def ioctl(self,*a):return 0
def O():
 try:
  if sys.platform=='rp2':
   import rp2;v=os.statvfs(R);a=rp2.Flash();n=v[1]*v[2];m=a.ioctl(4,0)*a.ioctl(5,0)-n
   return rp2.Flash(start=n,len=m) if m>0 else Q()
  import esp32
  return esp32.Partition.find(esp32.Partition.TYPE_DATA,label='outbox',block_size=4096)[0]
 except Exception:return Q()
def E(o,n):
 f=O();z=f.ioctl(5,0);b=bytearray(z);c=b'\\xff'*z
 for k in range(o,min(o+n,f.ioctl(4,0))):
  f.readblocks(k,b)
  if b!=c:f.ioctl(6,k)
  f.readblocks(k,b)
  if b!=c:return False
 return True
"""
